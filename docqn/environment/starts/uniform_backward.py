"""f_U+B: half the start states from f_U, half from f_B."""

from docqn.environment.starts import backward, uniform
from docqn.environment.starts.mixture import Mixture

_half_and_half = Mixture([uniform, backward], [0.5, 0.5])

sample = _half_and_half.sample
probabilities = _half_and_half.probabilities
