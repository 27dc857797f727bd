"""The party on whose behalf something is done: the first argument of every method of the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

LOCAL_TENANT = "local"
LOCAL_OWNER = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A caller within a tenant; rows of other tenants are invisible to it.

    An `operator` may also do what concerns all of the tenant, such as making connections; it is the same caller.
    """

    tenant: str = LOCAL_TENANT
    owner: str = LOCAL_OWNER
    operator: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScope:
    """The service itself (reaper, collector), across tenants. Created by bootstrap only."""

    instance_id: str


_acting: ContextVar[Scope | None] = ContextVar("tablewright_acting", default=None)


@contextmanager
def acting_for(scope: Scope) -> Iterator[None]:
    """Do what happens within this context, including in tasks started in it, on behalf of `scope`.

    This decides only whose turn it is at what all share; what a caller may see is decided by the scope that is passed.
    """
    token = _acting.set(scope)
    try:
        yield
    finally:
        _acting.reset(token)


def acting_scope() -> Scope | None:
    """Return the scope on whose behalf this happens, if that is known."""
    return _acting.get()
