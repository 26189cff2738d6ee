"""ES modules and styles bundled into one page, because a browser imports none from disk."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r"^import (\{[^}]*\}) from '\./([\w-]+)\.js';$", re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.MULTILINE)


@cache
def script_of(folder: str, entry: str) -> str:
    """Return a module of that folder of `web` and all its imports as one script.

    Each module becomes a function scope that returns its exports; imports come before the modules that use them.
    """
    sources: dict[str, str] = {}

    def take(name: str) -> str:
        source = files("web").joinpath(folder, f"{name}.js").read_text("utf-8")
        for _, imported in _IMPORT.findall(source):
            if imported not in sources:
                sources[imported] = f"const ${imported} = (() => {{\n{take(imported)}}})();\n"
        exported = _EXPORT.findall(source)
        exports = f"return {{ {', '.join(exported)} }};\n" if exported else ""
        bare = _IMPORT.sub(r"const \1 = $\2;", source).replace("\nexport {};", "")
        return re.sub(r"^export ", "", bare, flags=re.MULTILINE) + exports

    last = take(entry)
    return "".join((*sources.values(), last))


@cache
def styles_of(*names: str) -> str:
    """Return those style sheets of `web`, joined in that order."""
    return "".join(files("web").joinpath(name).read_text("utf-8") for name in names)


def content_security_policy(script: str, style: str, *, live: bool = False) -> str:
    """Return the content security policy for a page with one script and one style sheet, which loads nothing else.

    A `live` page may also connect to the server that it came from.
    """
    asks = "connect-src 'self'; " if live else ""
    return (
        f"default-src 'none'; script-src {_hashed(script)}; style-src {_hashed(chr(10) + style)}; img-src data: blob:; "
        f"{asks}base-uri 'none'; form-action 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
