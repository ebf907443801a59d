"""Names in a corpus folder: files, and the arrays that documents and pairs have in them."""

from docqn.document import ARRAYS

CORPUS_VERSION = 1
MANIFEST = "manifest.json"
VOCABULARY = "vocabulary.safetensors"
DOCUMENTS = "documents.safetensors"

STORED = tuple(name for name in ARRAYS if name != "vocabulary_utf8")  # of each document; the words are the corpus's
PER_TOKEN = ("token_start", "token_end", "token")  # of these, one entry a token; `utf8` by the byte, others by the node
SIZES = ("tokens", "words", "nodes", "all_nodes", "sections")  # of a document, before and after the rules

NUMBERS = ("fate", "first_answer", "original_first_answer", "context", "supporting_counts")  # of a pair
ROWS = ("answer_paragraphs", "answer_sentences", "answer_spans", "supporting")  # several of each a pair


def split_file(name: str) -> str:
    """The file of a split."""
    return f"split-{name}.safetensors"


def file_meta(what: str) -> dict[str, str]:
    """What an array file says of itself."""
    return {"docqn": f"corpus {CORPUS_VERSION} {what}"}
