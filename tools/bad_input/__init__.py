"""Bad input of every kind in every format, and what `docqn parse` makes of it: `python -m tools.bad_input`."""
