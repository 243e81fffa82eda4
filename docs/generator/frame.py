"""What stands around every page: the picker of the edition, and its data for the script."""

import json
from collections.abc import Iterator
from html import escape

from generator.languages import Language
from generator.names import name_of
from pickomino_reference.data import read_spec


def edition_picker(say: Language) -> str:
    """Return the `<select>` of all editions, boxes first; `edition.js` makes it work."""
    return (
        f'<label class="spoken" for="edition-picker">{say("Edition")}</label>'
        f'<select id="edition-picker" autocomplete="off">'
        f'<option value="">{say("All editions")}</option>{"".join(_groups(say))}</select>\n'
    )


def edition_script(say: Language) -> str:
    """Return the script that tells `edition.js` what there is."""
    spec = read_spec("editions")
    data: dict[str, object] = {
        "rulings": {
            name: list(ruling["alternatives"]) for name, ruling in read_spec("rulings").items()
        },
        "editions": {
            name: {
                "title": name_of(say, "editions", name),
                "kind": edition["kind"],
                "rulings": edition["rulings"],
            }
            for name, edition in spec["editions"].items()
        },
        "houseRules": {
            name: {"title": name_of(say, "house-rules", name), "rulings": house["rulings"]}
            for name, house in spec["house-rules"].items()
        },
    }
    data["words"] = {
        "unknown": say("The address names an edition that does not exist: #. All are shown.")
    }
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"window.pickominoEditions = {told};\n"


def _groups(say: Language) -> Iterator[str]:
    editions = read_spec("editions")["editions"]
    groups: dict[str, list[str]] = {}
    for name, edition in editions.items():
        kind = name_of(say, "kinds", edition["kind"])
        title = escape(name_of(say, "editions", name))
        groups.setdefault(kind, []).append(f'<option value="{name}">{title}</option>')
    for kind, options in groups.items():
        yield f'<optgroup label="{escape(kind)}">{"".join(options)}</optgroup>'
