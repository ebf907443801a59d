"""Mutating zip archives: the bytes themselves, or what is inside, packed anew."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from random import Random
from zipfile import ZIP_DEFLATED, ZipFile

from fuzz import mutated


def packed(members: Mapping[str, bytes]) -> bytes:
    """A zip archive."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def mutated_archive(data: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    """One time in four the bytes are mutated, else members; now and then one is left out, or takes another's place."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except Exception:
        members = {}
    if not members or random.random() < 0.25:
        return mutated(data, random)
    for _ in range(random.choice((1, 1, 2))):
        name = random.choice(list(members))
        members[name] = mutated(members[name], random, words)
    if random.random() < 0.1:
        members[random.choice(list(members))] = members[random.choice(list(members))]
    if random.random() < 0.05:
        del members[random.choice(list(members))]
    return packed(members)
