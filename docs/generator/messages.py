"""Real messages of the adapter protocol, from the transcript that the reference answers."""

import json
from functools import cache
from typing import Any

from generator.languages import Language
from pickomino_reference.data import spec_dir

WIDTH = 64
INDENT = 2

Message = dict[str, Any]


@cache
def read_transcript() -> dict[int, tuple[Message, Message]]:
    """Return each request of the transcript with its answer, by its id."""
    text = (spec_dir() / "protocol" / "transcript.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    requests = [line for line in lines if "method" in line]
    answers = {line["id"]: line for line in lines if "method" not in line}
    return {one["id"]: (one, answers[one["id"]]) for one in requests}


def exchange(say: Language, ident: str) -> str:
    """Return a request with its answer as Markdown.

    Raises:
        KeyError: the transcript has no such request.
    """
    request, answer = read_transcript()[int(ident)]
    return (
        f'<p class="wire">{say("You are asked:")}</p>\n\n```json\n{laid_out(request)}\n```\n\n'
        f'<p class="wire">{say("You answer:")}</p>\n\n```json\n{laid_out(answer)}\n```'
    )


def laid_out(value: Any, indent: int = 0) -> str:
    """Return JSON with a member a line wherever it is too long for one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if indent + len(flat) <= WIDTH or not value or not isinstance(value, dict | list):
        return flat
    if isinstance(value, list) and not any(isinstance(one, dict | list) for one in value):
        return flat
    inner = indent + INDENT
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {laid_out(one, inner)}" for name, one in value.items()]
        left, right = "{", "}"
    else:
        parts = [laid_out(one, inner) for one in value]
        left, right = "[", "]"
    lines = f",\n{' ' * inner}".join(parts)
    return f"{left}\n{' ' * inner}{lines}\n{' ' * indent}{right}"
