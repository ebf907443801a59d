"""One numbering for several documents."""

from docqn.document import NONE
from docqn.environment.vocabulary import Vocabulary
from tests.documents import document


def test_documents_and_texts_share_the_numbers() -> None:
    first, second = document(["The tea is hot."]), document(["The cup is blue."])
    vocabulary = Vocabulary([first, second], ["Which cup?"])
    words = list(vocabulary)
    assert len(words) == len(vocabulary) == len(set(words))
    for one, number in zip((first, second), vocabulary.of_documents, strict=True):
        assert [words[i] for i in number[one.token]] == [word for u in (0, 1) for word in one.tokens_of(u)]
    assert [words[i] for i in vocabulary.numbers("Which cup?", 3)] == ["Which", "cup", "?"]
    assert vocabulary.numbers("The pot is", 5).tolist() == [words.index("The"), NONE, words.index("is"), NONE, NONE]
    assert vocabulary.numbers("The tea is hot", 2).tolist() == [words.index("The"), words.index("tea")]
