"""The party on whose behalf something is done: the first argument of every method of the store."""

from __future__ import annotations

from dataclasses import dataclass

LOCAL_TENANT = "local"
LOCAL_OWNER = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A caller within a tenant; rows of other tenants are invisible to it."""

    tenant: str = LOCAL_TENANT
    owner: str = LOCAL_OWNER


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScope:
    """The service itself (reaper, collector), across tenants. Created by bootstrap only."""

    instance_id: str
