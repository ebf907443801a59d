r"""Trains and exports many agents, some side by side: `python tools/train_agents.py CORPUS --vectors FILE --out DIR`.

Every preset with every seed becomes `DIR/runs/PRESET-SEED` and `DIR/agents/PRESET-SEED`. What is there is left as is,
and what was interrupted goes on, so the same command finishes what is missing. What follows `--` goes to `docqn train`:

    python tools/train_agents.py schools --vectors glove.6B.100d.txt --reader default --preset dqn-small \
        --preset docqn-small --seed 1 --seed 2 --seed 3 --jobs 2 --out experiments -- --set coverage=0.3
"""

import argparse
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from docqn.policies.neural.export import SETTINGS


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns how many trainings did not come to their end."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    own, handed_on = (given[: given.index("--")], given[given.index("--") + 1 :]) if "--" in given else (given, [])
    options = _parser().parse_args(own)
    names = [(preset, seed) for seed in options.seed or [1] for preset in options.preset or ["docqn-small"]]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the trainings hear it too, save, and end; then this ends
    with ThreadPoolExecutor(options.jobs) as pool:
        ended = list(pool.map(partial(_train, options, handed_on), names))
    return sum(not one for one in ended)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--reader", default="default")
    parser.add_argument("--preset", action="append")
    parser.add_argument("--seed", action="append", type=int)
    parser.add_argument("--jobs", type=int, default=1, help="trainings at once, one thread each")
    return parser


def _train(options: argparse.Namespace, handed_on: Sequence[str], name: tuple[str, int]) -> bool:
    """One agent; whether it is there now."""
    preset, seed = name
    run, agent = (options.out / room / f"{preset}-{seed}" for room in ("runs", "agents"))
    if agent.exists():
        return True
    command = ["train", "--out", str(run), "--threads", "1", "--quiet"]
    if (run / SETTINGS).exists():
        command += ["--resume"]
    else:
        command += [str(options.corpus), "--preset", preset, "--set", f"seed={seed}", "--reader", options.reader]
        command += ["--vectors", str(options.vectors), *handed_on]
    done = _docqn(command) and _docqn(["export", str(run), "--out", str(agent), "--quiet"])
    print(f"{preset}, seed {seed}: {'done' if done else 'not done'}", file=sys.stderr, flush=True)
    return done


def _docqn(command: Sequence[str]) -> bool:
    return subprocess.run([sys.executable, "-m", "docqn", *command], check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
