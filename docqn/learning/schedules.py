"""Numbers that change while a training goes on."""


def linear(first: float, last: float, steps: int, step: int) -> float:
    """From `first` to `last` in so many steps, then constant."""
    return last if step >= steps else first + (last - first) * step / steps
