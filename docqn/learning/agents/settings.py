"""Settings of the agent's training, and the presets. The defaults are the paper's."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import inf

from docqn.environment.actions import ACTIONS
from docqn.environment.starts import start_distribution
from docqn.errors import DocqnError
from docqn.network.sizes import ENCODERS, Sizes

_CHOICES = {
    "encoder": ENCODERS,
    "loss": ("huber", "squared"),
    "updates": ("turn", "step"),
    "backup": ("taken", "every"),
}
_SHARES = ("sampling", "sampling_end", "epsilon", "epsilon_end", "alpha", "beta", "discount", "coverage")
_LEAST_NONE = ("seed", "anneal", "initial", "decay_steps", "pairs")
_RANGES = (
    dict.fromkeys(_SHARES, (0, 1)) | dict.fromkeys(_LEAST_NONE, (0, inf)) | {"dropout": (0, 0.9), "ema": (0, 0.9999)}
)


@dataclass(frozen=True)
class AgentSettings:
    """A step is a transition: an action of one cursor. A turn is an episode, or K sampled states of one pair."""

    seed: int = 1
    # The decision process
    coupled: bool = False  # Answer is part of Stop
    limit: int = 30  # steps of an episode
    # Where episodes begin
    start: str = "uniform-backward"  # distribution of sampled states: f_U+B
    sampling: float = 1.0  # ε_s: share of turns that are sampled states, in the beginning …
    sampling_end: float = 0.5  # … and in the end
    sampled: int = 5  # K: states of one pair in such a turn, with one action each
    # Exploration
    epsilon: float = 1.0  # share of random actions, in the beginning …
    epsilon_end: float = 0.1  # … and in the end
    anneal: int = 1_200_000  # steps until then
    # Replay
    memory: int = 300_000
    initial: int = 50_000  # steps before learning begins
    alpha: float = 0.6
    beta: float = 0.4  # rises to 1 while ε falls
    # Learning
    steps: int = 4_000_000
    updates: str = "turn"  # one an episode, as in the paper's Algorithm 1, or one a `step`, as in the authors' code …
    every: int = 1  # … or one for so many of these, with larger batches
    batch: int = 64
    backup: str = "taken"  # of the action that was taken, or of every legal one of a seventh as many states
    rate: float = 1e-4  # of RMSprop
    decay_steps: int = 0  # the last ones, in which the rate falls to 0
    discount: float = 0.996
    target: int = 10_000  # steps between copies to the target network
    loss: str = "huber"  # or squared
    clip: float = 10.0  # longest gradient
    ema: float = 0.0  # share of the old in an average of the weights, which is evaluated and kept; 0: no average
    # The network
    words: int = 400_000  # most known words: those that are frequent in the corpus
    buckets: int = 1_000  # vectors that the other words share, which are learnt
    encoder: str = "lstm"  # of questions and observations, or mlp, which looks at each word by itself
    hidden: int = 300  # of every LSTM, in each direction
    attention: int = 300
    character: int = 20
    filters: int = 100
    width: int = 5
    joint: int = 512
    branch: int = 256
    dropout: float = 0.2
    match: bool = False  # φn tells besides how many of the question's words are in sight
    # The run
    coverage: float = 0.0  # a corpus's pairs below it are left out: their answer strings rarely stand for an answer
    cursors: int = 64  # turns at once
    evaluate: int = 50_000  # steps between evaluations
    pairs: int = 400  # of the evaluation
    log: int = 1_000  # steps between lines of the log
    save_minutes: float = 10.0

    def __post_init__(self) -> None:
        """What no training can go on with is said at once."""
        for name, choices in _CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise DocqnError(f"{name}={value}: is not one of {', '.join(choices)}")
        for name, value in asdict(self).items():
            least, most = _RANGES.get(name, (int(isinstance(value, int)), inf))
            if not isinstance(value, bool | str) and not least <= value <= most:
                raise DocqnError(
                    f"{name}={value}: is not {f'from {least} to {most}' if most < inf else f'{least} or more'}"
                )
        start_distribution(self.start)

    @property
    def drawn(self) -> int:
        """Transitions that an update draws from the replay."""
        return self.batch if self.backup == "taken" else max(1, self.batch // len(ACTIONS))

    def sizes(self, word: int) -> Sizes:
        """Of the network, for word vectors so wide."""
        return Sizes(
            word,
            self.buckets,
            self.encoder,
            self.hidden,
            self.attention,
            self.character,
            self.filters,
            self.width,
            self.joint,
            self.branch,
            self.dropout,
            self.match,
        )


_SMALL = {
    "anneal": 100_000,
    "initial": 5_000,
    "steps": 200_000,
    "decay_steps": 50_000,
    "rate": 5e-4,
    "target": 2_500,
    "words": 20_000,
    "buckets": 500,
    "hidden": 64,
    "attention": 64,
    "character": 8,
    "filters": 32,
    "joint": 128,
    "branch": 64,
    "evaluate": 10_000,
}
_LARGE = {
    "docqn": AgentSettings(),
    "docqn-uniform": AgentSettings(start="uniform"),
    "docqn-backward": AgentSettings(start="backward"),
    "dqn": AgentSettings(start="root", sampling=0.0, sampling_end=0.0),
    "docqn-coupled": AgentSettings(coupled=True),
    "dqn-coupled": AgentSettings(coupled=True, start="root", sampling=0.0, sampling_end=0.0),
}
PRESETS = _LARGE | {f"{name}-small": replace(settings, **_SMALL) for name, settings in _LARGE.items()}  # type: ignore[arg-type]

FREE = ("steps", "decay_steps", "save_minutes", "log")  # may change when a training goes on
