"""Answer normalisation: TriviaQA's rules for TriviaQA, SQuAD's for SQuAD. They differ in what punctuation becomes."""

import re
import string

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_TRIVIAQA_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation + "‘’´`", " "))
_SQUAD_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation, ""))


def normalize_triviaqa(answer: str) -> str:
    """Lower case; punctuation (also quotes and underscores) becomes a space; articles and extra space go."""
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_TRIVIAQA_PUNCTUATION)).split())


def normalize_squad(answer: str) -> str:
    """Lower case; ASCII punctuation is deleted without a space; articles and extra space go."""
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_SQUAD_PUNCTUATION)).split())
