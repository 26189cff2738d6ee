"""Frozen examples of each event in `contract/` can still be read; new ones are added, old ones never edited.

`X.1.json` is the first; one that a later field made necessary is `X.1.with-y.json`.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from mam_events.events import TYPES, UPCASTS, Event, Head
from mam_events.store import decode, encode

FOLDER = Path(__file__).parent / "contract"
TOPICS = [topic for topic, kind in TYPES.items() if kind.__module__.startswith("mam_events.")]


def examples(topic: str) -> list[Path]:
    return [file for file in FOLDER.glob(f"{topic}*.json") if file.stem == topic or file.stem.startswith(f"{topic}.")]


@pytest.mark.parametrize("topic", [*TOPICS, *UPCASTS])
def test_every_topic_has_a_frozen_example(topic: str) -> None:
    assert examples(topic), "freeze one: it stays for as long as any log"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.json")), ids=lambda file: file.stem)
def test_a_frozen_example_decodes_and_encodes_unchanged(file: Path) -> None:
    topic, frozen = ".".join(file.stem.split(".")[:2]), file.read_bytes().strip()
    event = decode(topic, frozen)
    written_topic, content = encode(event)
    if topic in UPCASTS:
        assert written_topic != topic
    else:
        assert (written_topic, json.loads(content)) == (topic, json.loads(frozen))


@pytest.mark.parametrize("topic", TOPICS)
def test_the_examples_fill_every_field(topic: str) -> None:
    fields = set().union(*(json.loads(file.read_bytes()) for file in examples(topic)))
    assert fields == {field.encode_name for field in msgspec.structs.fields(TYPES[topic])}


@pytest.mark.parametrize("topic", TOPICS)
def test_every_event_has_an_apply_or_is_a_head(topic: str) -> None:
    kind = TYPES[topic]
    assert (kind.apply is Event.apply) == issubclass(kind, Head), "give it `apply`, or make it one that is `Told`"
