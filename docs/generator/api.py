"""The pages of the programming interface, made from the docstrings of the packages."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import griffe

from generator.languages import Language
from generator.names import named
from generator.places import DEFAULT_LANGUAGE, ROOT, link
from generator.prose import rule_address

WIDTH = 88
PACKAGES = {"pickomino_reference": "reference", "pickomino_conformance": "conformance"}

_RULE = re.compile(r"^([a-z]+\.[a-z-]+): ")
_DOCTEST = re.compile(r"^(>>> .*(?:\n.+)*)", re.MULTILINE)


class ApiPage(NamedTuple):
    """A page of the interface.

    Attributes:
        name: its file below `api/`.
        title: its heading.
        told: what it is about.
        parts: the modules on it; of each the names that are public there, or all it exports.
    """

    name: str
    title: str
    told: str
    parts: dict[str, tuple[str, ...]]


PAGES = (
    ApiPage(
        "reference",
        "The reference",
        "The rules as pure functions: from one position to the next, with the dice given.",
        {"pickomino_reference": ()},
    ),
    ApiPage(
        "rules",
        "A function for each rule",
        "The six chapters as modules; each function begins with the rule that it is.",
        {
            f"pickomino_reference.{chapter}": ()
            for chapter in ("setup", "rolling", "claiming", "stealing", "failing", "ending")
        },
    ),
    ApiPage(
        "strategies",
        "Strategies for Hypothesis",
        "Rulings, editions, tables, rolls, turns and games, drawn for tests of your own.",
        {"pickomino_conformance.strategies": ()},
    ),
    ApiPage(
        "harness",
        "The harness",
        "What an engine that is a Python class raises, and what the commands do, as functions.",
        {
            "pickomino_conformance": (),
            "pickomino_conformance.referee": ("referee_log", "referee_turns", "Refereed"),
            "pickomino_conformance.identify": (),
            "pickomino_conformance.explain": (
                "explain",
                "explain_plain",
                "read_position",
                "Explanation",
                "Explained",
            ),
            "pickomino_conformance.faults": (),
        },
    ),
)


def pages(say: Language) -> Iterator[tuple[str, str]]:
    """Yield every page of the interface."""
    for page in PAGES:
        yield f"api/{page.name}.md", _page(say, page)


@cache
def _package(name: str) -> griffe.Module:
    found = griffe.load(name, search_paths=[ROOT / PACKAGES[name]], docstring_parser="google")
    assert isinstance(found, griffe.Module)
    return found


def public(module: str, chosen: tuple[str, ...] = ()) -> list[griffe.Object]:
    """Return what a module gives to others, in its own order; only what is chosen, if anything is.

    It gives what it lists, or what it makes; a module that makes nothing, what it passes on.

    Raises:
        KeyError: there is no such module, or nothing of such a name in it.
    """
    root, _, rest = module.partition(".")
    package = _package(root)
    found = package[rest] if rest else package
    given = found.exports or _own(found) or [name for name in found.imports if name[0] != "_"]
    names = chosen or tuple(map(str, given))
    return [_resolved(package, found, name) for name in names]


def _own(module: Any) -> list[str]:
    return [
        name
        for name, one in module.members.items()
        if not one.is_alias and not name.startswith("_") and one.is_function | one.is_class
    ]


def _resolved(package: griffe.Module, module: Any, name: str) -> griffe.Object:
    """Return what a name of a module stands for, wherever it is made.

    A function that bears the name of a module beside it is found by the import that names it.
    """
    found = module[name]
    if isinstance(found, griffe.Module):
        found = package[module.imports[name].removeprefix(f"{package.name}.")]
    target: griffe.Object = found.final_target if found.is_alias else found
    return target


def _page(say: Language, page: ApiPage) -> str:
    parts = [_BEHIND, f"# {say(page.title)}", say(page.told)]
    if say.code != DEFAULT_LANGUAGE:
        parts += [say("What follows is taken from the code, in its language."), _OPEN]
    for module, chosen in page.parts.items():
        parts += _module(say, module, chosen, f"api/{page.name}.md")
    if say.code != DEFAULT_LANGUAGE:
        parts.append("</div>")
    return "\n\n".join(parts) + "\n"


def _module(say: Language, module: str, chosen: tuple[str, ...], page: str) -> Iterator[str]:
    yield f"## `{module}` {{: #{module} }}"
    root, _, rest = module.partition(".")
    found = _package(root)[rest] if rest else _package(root)
    if found.docstring:
        yield _prose(found.docstring.value)
    for one in public(module, chosen):
        if one.docstring or not one.is_attribute:
            yield from _object(say, one, page)


def _object(say: Language, one: griffe.Object, page: str) -> Iterator[str]:
    yield f"### `{one.name}` {{: #{one.path} }}"
    yield f"```python\n{_signature(one)}\n```"
    yield from _docstring(say, one, page)
    if isinstance(one, griffe.Class) and _is_enum(one):
        values = ", ".join(f"`{each.name}`" for each in one.attributes.values())
        yield f"{say('Values:')} {values}."
    elif isinstance(one, griffe.Class):
        told = [each for each in _properties(one) if each.docstring]
        if told:
            entries = [f"- `{each.name}`: {_flat(_first(each))}" for each in told]
            yield "\n".join([f"{say('It also tells:')}\n", *entries])
        for method in one.functions.values():
            inherited = method.is_alias
            if not inherited and not method.name.startswith("_") and method.docstring:
                yield f"```python\n{_signature(method)}\n```"
                yield from _docstring(say, method, page)


def _first(one: griffe.Object) -> str:
    return one.docstring.value.partition("\n\n")[0] if one.docstring else ""


def _signature(one: griffe.Object) -> str:
    if isinstance(one, griffe.Function):
        return _call(one)
    if isinstance(one, griffe.Class):
        bases = ", ".join(map(str, one.bases))
        head = f"class {one.name}({bases})" if bases else f"class {one.name}"
        fields = [] if _is_enum(one) else [_field(each) for each in _fields(one)]
        return "\n    ".join([f"{head}:", *fields]) if fields else head
    assert isinstance(one, griffe.Attribute)
    return _field(one)


def _call(function: griffe.Function) -> str:
    """Return how a function is called; what a strategy draws with is not given by the caller."""
    drawn = any("composite" in str(each.value) for each in function.decorators)
    listed = [each for each in function.parameters if each.name not in {"self", "draw"}]
    names = [*_parameters(listed)]
    returned = f"st.SearchStrategy[{function.returns}]" if drawn else str(function.returns)
    line = f"{function.name}({', '.join(names)}) -> {returned}"
    if len(line) <= WIDTH:
        return line
    lines = "".join(f"    {name},\n" for name in names)
    return f"{function.name}(\n{lines}) -> {returned}"


def _parameters(listed: list[griffe.Parameter]) -> Iterator[str]:
    starred = False
    for each in listed:
        if each.kind is griffe.ParameterKind.keyword_only and not starred:
            starred = True
            yield "*"
        mark = {
            griffe.ParameterKind.var_positional: "*",
            griffe.ParameterKind.var_keyword: "**",
        }.get(each.kind or griffe.ParameterKind.positional_or_keyword, "")
        default = f" = {each.default}" if each.default is not None and not mark else ""
        yield f"{mark}{each.name}: {each.annotation}{default}"


def _fields(one: griffe.Class) -> list[griffe.Attribute]:
    return [
        each
        for name, each in one.attributes.items()
        if each.annotation and not name.startswith("_") and "property" not in each.labels
    ]


def _properties(one: griffe.Class) -> list[griffe.Attribute]:
    return [each for each in one.attributes.values() if "property" in each.labels]


def _field(one: griffe.Attribute) -> str:
    return f"{one.name}: {one.annotation}" if one.annotation else str(one.name)


def _is_enum(one: griffe.Object) -> bool:
    assert isinstance(one, griffe.Class)
    return any("Enum" in str(base) for base in one.bases)


def _docstring(say: Language, one: griffe.Object, page: str) -> Iterator[str]:
    for section in one.docstring.parsed if one.docstring else []:
        match section.kind.value:
            case "text":
                yield _prose(_with_rule(section.value, page))
            case "examples":
                for _, text in section.value:
                    yield _fenced(text)
            case "raises":
                yield _listed(say("Raises:"), [(one.annotation, one) for one in section.value])
            case "attributes":
                yield _listed(say("Attributes:"), [(one.name, one) for one in section.value])
            case "parameters":
                yield _listed(say("Parameters:"), [(one.name, one) for one in section.value])


def _listed(heading: str, entries: list[tuple[Any, Any]]) -> str:
    items = "\n".join(
        f"- `{str(name).rstrip(',')}`: {_flat(one.description)}" for name, one in entries
    )
    return f"{heading}\n\n{items}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _with_rule(text: str, page: str) -> str:
    """Return a docstring with the rule that it begins with as a link."""
    found = _RULE.match(text)
    if not found or found[1] not in named("rules"):
        return text
    return f"[{found[1]}]({_to(page, found[1])}): {text[found.end() :]}"


def _to(page: str, rule: str) -> str:
    """Return the address of a rule as a link to its Markdown file, which the builder follows."""
    address, _, anchor = link(page, rule_address(rule)).partition("#")
    return f"{address.removeprefix('../').rstrip('/')}.md#{anchor}"


def _prose(text: str) -> str:
    """Return the text of a docstring as Markdown, with its examples as code."""
    return _DOCTEST.sub(lambda found: _fenced(found[1]), text)


def _fenced(text: str) -> str:
    return f"```pycon\n{text.strip()}\n```"


# Whoever searches for a rule is to find the rule first.
_BEHIND = "---\nsearch:\n  boost: 0.3\n---"
_OPEN = f'<div lang="{DEFAULT_LANGUAGE}" markdown="1">'
