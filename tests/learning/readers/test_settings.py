"""Settings change by key=value, and the rate follows its schedule."""

from dataclasses import asdict

import pytest

from docqn.errors import DocqnError
from docqn.learning.readers.settings import PRESETS, RasorSettings, Schedule, TransformerSettings, fixed
from docqn.learning.settings import changed


def test_values_are_of_the_type_of_the_old_ones() -> None:
    found = changed(RasorSettings(), ["rate=0.5", "steps=7", "span_loss=yes", "hidden=3"])
    assert (found.rate, found.steps, found.span_loss, found.hidden) == (0.5, 7, True, 3)
    assert changed(found, ["span_loss=false"]).span_loss is False


@pytest.mark.parametrize("wrong", ["rat=1", "rate", "rate=fast", "steps=1.5", "span_loss=maybe"])
def test_what_cannot_be_set_is_an_error(wrong: str) -> None:
    with pytest.raises(DocqnError, match=wrong.partition("=")[0]):
        changed(RasorSettings(), [wrong])


def test_the_rate_rises_stays_and_falls() -> None:
    schedule = Schedule(rate=2.0, warmup=4, steps=20, decay_steps=5)
    rates = [schedule.rate_at(step) for step in range(20)]
    assert rates[:5] == [0.5, 1.0, 1.5, 2.0, 2.0]
    assert rates[4:15] == [2.0] * 11
    assert rates[15:] == pytest.approx([2.0, 1.6, 1.2, 0.8, 0.4])
    assert Schedule(rate=2.0, warmup=4, steps=20, decay_steps=0).rate_at(19) == 2.0


def test_a_longer_training_begins_as_a_shorter_one() -> None:
    short, long = Schedule(1.0, 3, 30, 10), Schedule(1.0, 3, 60, 10)
    assert [short.rate_at(step) for step in range(20)] == [long.rate_at(step) for step in range(20)]
    assert fixed(short) == fixed(long)
    assert fixed(short) != fixed(Schedule(0.5, 3, 30, 10))


def test_the_presets() -> None:
    assert isinstance(PRESETS["transformer"], TransformerSettings)
    assert {name: value for name, value in asdict(PRESETS["rasor-first400"]).items() if name != "first_tokens"} == {
        name: value for name, value in asdict(PRESETS["rasor-squad"]).items() if name != "first_tokens"
    }
