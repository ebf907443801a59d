"""What thresholds bring, against counting by hand; and the tool over a small corpus."""

from pathlib import Path

import pytest

from docqn.policies import Setting
from docqn.readers.lexical import LexicalReader
from docqn.serving import abstaining
from tests.evaluation.corpus import make_corpus
from tools.measure_abstaining import Judged, drawn, judged, main, table


def test_shares_are_those_that_one_counts() -> None:
    found = [
        Judged(0.9, right=True, own=True),
        Judged(0.5, right=False, own=True),
        Judged(0.2, right=True, own=True),
        Judged(0.0, right=False, own=True),
        Judged(0.6, right=False, own=False),
        Judged(0.1, right=False, own=False),
    ]
    rows = {row.threshold: row[1:] for row in table(found)}
    assert rows[0.0] == (100.0, 50.0, 0.0, 50.0)
    assert rows[0.5] == (50.0, 50.0, 50.0, 50.0)
    assert rows[0.65] == (25.0, 100.0, 100.0, 62.5)
    assert rows[1.0] == (0.0, 0.0, 100.0, 50.0)


def test_other_documents_do_not_hold_the_answer(tmp_path: Path) -> None:
    split = make_corpus(tmp_path).split("dev")
    pairs = list(drawn(split, 9, seed=0, near=3))
    assert pairs
    for (own, is_own), (foreign, is_foreign) in zip(pairs[::2], pairs[1::2], strict=True):
        assert (is_own, not is_foreign) == (True, True)
        assert (own.question, own.golds) == (foreign.question, foreign.golds)
        assert not any(gold.lower() in foreign.document.text.lower() for gold in own.golds or ())
    found = judged(pairs, "read-best", Setting(LexicalReader()))
    assert [one.own for one in found] == [own for _, own in pairs]


def test_it_prints_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCQN_CACHE", str(tmp_path / "cache"))
    folder = make_corpus(tmp_path).folder
    monkeypatch.setattr(abstaining, "KEPT", tmp_path / "thresholds.json")
    (tmp_path / "thresholds.json").write_text('{"another": 0.7}')
    assert abstaining.threshold(LexicalReader()) == abstaining.CALIBRATED
    main([str(folder), "--reader", "lexical", "--limit", "2", "--keep"])
    out = capsys.readouterr().out
    assert "questions of dev, seed 0, nearest of 1, default, lexical" in out
    (best,) = (line for line in out.splitlines() if line.endswith(" best"))
    assert abstaining.threshold(LexicalReader()) == float(best.split("|")[1])
    assert '"another": 0.7' in (tmp_path / "thresholds.json").read_text()
