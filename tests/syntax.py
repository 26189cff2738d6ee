"""The statements of a file, for tests that read the code of the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_HOLDERS = (ast.stmt, ast.excepthandler, ast.match_case)


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Yield every statement in a syntax tree, at any depth.

    That takes a third of the time of `ast.walk`, which also goes into each expression.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, _HOLDERS):
            yield from statements(node)
