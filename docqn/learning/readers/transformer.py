"""The training of the transformer reader, on SQuAD and on corpora with answer strings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from docqn.errors import DocqnError
from docqn.learning.ahead import Ahead
from docqn.learning.readers.corpus_groups import CorpusGroups
from docqn.learning.readers.loop import Stop
from docqn.learning.readers.objective import losses
from docqn.learning.readers.pairs import Group, batches
from docqn.learning.readers.settings import TransformerSettings, fixed
from docqn.learning.readers.squad_groups import SquadGroups
from docqn.learning.readers.state import Master
from docqn.network.bert import SpanReader
from docqn.network.dropout import ByteDropout

_GPU_BUDGET = 40_000  # tokens at once


class TransformerTask:
    """See the module. The embeddings stay as they are."""

    def __init__(
        self,
        model: SpanReader,
        settings: TransformerSettings,
        squad: SquadGroups | None,
        corpus: CorpusGroups | None,
        data: Mapping[str, str],
        device: torch.device,
        workers: int = 0,
    ) -> None:
        """`data` names what the groups are from, by their digests; `workers` processes make the groups."""
        if squad is None and corpus is None:
            raise DocqnError("there is nothing to train on: give --squad, --corpus or both")
        self.settings, self.squad, self.corpus, self.device = settings, squad, corpus, device
        self.model = model.to(device)
        model.embeddings.requires_grad_(False)
        self.master = Master(
            model, settings, head="span.", head_factor=settings.head_factor, lower=model.lower_precision
        )
        self.fixed = fixed(settings) | {"data": dict(data)}
        share = 1.0 if corpus is None else 0.0 if squad is None else settings.squad_share
        self.of_squad = round(settings.batch * share)
        main = squad if corpus is None else corpus
        assert main is not None
        self.budget = settings.budget if device.type == "cpu" else _GPU_BUDGET
        self.prepared = Ahead(self.groups, workers, settings.steps)
        self.steps_per_epoch = max(1, len(main) // max(1, settings.batch - self.of_squad if corpus else self.of_squad))

    def gradients(self, step: int, stop: Stop) -> dict[str, float] | None:
        settings = self.settings
        groups = self.prepared.of(step)
        pairs = sum(len(group.pairs) for group in groups)
        tokens = sum(len(pair.ids) for group in groups for pair in group.pairs)
        span = answerable = ranking = 0.0
        for number, batch in enumerate(batches(groups, self.budget)):
            drop = None
            if settings.dropout:
                seed = (settings.seed * 1_000_003 + step) * 64 + number
                drop = ByteDropout(settings.dropout, seed, self.device)
            found = losses(self.model, batch, drop, self.device)
            loss = (found.span + settings.ranking_weight * found.ranking) / len(groups)
            loss = loss + settings.answerable_weight * found.answerable / pairs
            torch.autograd.backward(loss)
            told = torch.stack(found).tolist()  # a GPU is waited for once
            span += told[0] / len(groups)
            answerable += told[1] / pairs
            ranking += told[2] / len(groups)
            if stop:
                return None
        return {
            "questions": (step + 1) * settings.batch,
            "span_loss": span,
            "answerable_loss": answerable,
            "ranking_loss": ranking,
            "pairs": pairs,
            "tokens": tokens,
        }

    def close(self) -> None:
        self.prepared.close()

    def groups(self, step: int) -> Sequence[Group]:
        """The groups of a step."""
        settings = self.settings
        groups: list[Group] = []
        if self.squad is not None and self.of_squad:
            groups += self.squad.step(step, self.of_squad, settings.seed, settings.negatives)
        if self.corpus is not None:
            groups += self.corpus.step(step, settings.batch - self.of_squad)
        return groups
