"""What may be written in expressions and templates, and the budget's filters around all that is."""

from __future__ import annotations

from jinja2 import nodes
from jinja2.visitor import NodeTransformer

from tablewright.workflows.expressions.environment import SPENT, TEXT, WEIGHED
from tablewright.workflows.expressions.filters import FILTERS, TESTS

DEPTH = 60
NODES = 3_000
_ALLOWED: tuple[type[nodes.Node], ...] = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.If, nodes.For, nodes.Assign,
    nodes.Name, nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Keyword, nodes.Slice,
    nodes.Getattr, nodes.Getitem, nodes.Filter, nodes.Test, nodes.CondExpr, nodes.Compare, nodes.Operand,
    nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos, nodes.Concat,
    nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod,
)  # fmt: skip
_LOOKED_AT = (nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Filter, nodes.Call)
_PUT_TOGETHER = (nodes.List, nodes.Tuple, nodes.Dict, nodes.Concat, nodes.BinExpr)
_NO_BINOPS = (nodes.And, nodes.Or)


class NotAllowed(Exception):
    """Something that expressions cannot do; `what` names it."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def check(tree: nodes.Node) -> None:
    """Raise `NotAllowed` if the tree is too large or has anything that is not part of the language."""
    left, count = [(tree, 1)], 0
    while left:
        node, depth = left.pop()
        count += 1
        if depth > DEPTH or count > NODES:
            raise NotAllowed("nesting" if depth > DEPTH else "length")
        _check_one(node)
        left.extend((child, depth + 1) for child in node.iter_child_nodes())


def _check_one(node: nodes.Node) -> None:
    if isinstance(node, nodes.Call):
        if isinstance(node.node, nodes.Name) and node.node.name == "range" and not (node.dyn_args or node.dyn_kwargs):
            return
        raise NotAllowed("call")
    if not isinstance(node, _ALLOWED):
        raise NotAllowed(type(node).__name__.lower())
    if isinstance(node, nodes.Filter) and (node.name not in FILTERS or node.node is None):
        raise NotAllowed(f"filter {node.name}")
    if isinstance(node, nodes.Test) and node.name not in TESTS:
        raise NotAllowed(f"test {node.name}")
    if isinstance(node, nodes.Filter | nodes.Test) and (node.dyn_args or node.dyn_kwargs):
        raise NotAllowed("arguments")
    if isinstance(node, nodes.For) and node.recursive:
        raise NotAllowed("recursion")


class _Budgeted(NodeTransformer):
    """Puts a filter around each part of an expression, which takes from the budget what the part costs."""

    def generic_visit(self, node: nodes.Node, *args: object, **kwargs: object) -> nodes.Node:
        visited = super().generic_visit(node, *args, **kwargs)
        if isinstance(visited, nodes.Concat):
            visited.nodes = [_filtered(each, TEXT) for each in visited.nodes]
        if isinstance(visited, nodes.Tuple | nodes.Name) and visited.ctx != "load":
            return visited
        if isinstance(visited, _LOOKED_AT):
            return _filtered(visited, SPENT)
        if isinstance(visited, _PUT_TOGETHER) and not isinstance(visited, _NO_BINOPS):
            return _filtered(visited, WEIGHED)
        return visited

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802  # the name of the node
        """Leave the name of what is called alone."""
        node.args = [self.visit(each) for each in node.args]
        return _filtered(node, SPENT)

    def visit_Test(self, node: nodes.Test) -> nodes.Node:  # noqa: N802
        """Leave what may be undefined to the test."""
        if node.name in {"defined", "undefined"}:
            return node
        return self.generic_visit(node)


def _filtered(node: nodes.Node, name: str) -> nodes.Filter:
    assert isinstance(node, nodes.Expr)
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


def budgeted(tree: nodes.Node) -> nodes.Node:
    """Return the tree with the budget's filters in it."""
    made = _Budgeted().visit(tree)
    assert isinstance(made, nodes.Node)
    return made
