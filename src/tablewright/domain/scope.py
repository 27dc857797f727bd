"""On whose behalf something is done. Every method of the store takes one first."""

from __future__ import annotations

from dataclasses import dataclass

LOCAL_TENANT = "local"
LOCAL_OWNER = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A caller within a tenant; rows of other tenants do not exist for it."""

    tenant: str = LOCAL_TENANT
    owner: str = LOCAL_OWNER


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScope:
    """The service itself (reaper, collector), across tenants. Made by bootstrap only."""

    instance_id: str
