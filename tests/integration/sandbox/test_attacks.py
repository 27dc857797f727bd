"""Every attack, at every level: contained, named, and survived by everyone else."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from tests.integration.sandbox.attacks_seen import judge
from tests.integration.sandbox.conftest import started
from tests.support.processes import below

from tablewright.sandbox.base import Level, Limits, Session, Status
from tablewright.sandbox.conformance.attacking import AttacksConformance, AttackTarget, carried_out, target
from tablewright.sandbox.conformance.attacks import ATTACKS, Attack
from tablewright.sandbox.conformance.examples import until
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import PoolSize
from tablewright.sandbox.process import PRELOADED_LEAST

LIMITS = Limits(memory_bytes=1024**3, disk_bytes=256 * 1024**2, files=2_000, text_chars=200_000)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def attacked(level: Level, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AttackTarget]:
    folder = tmp_path_factory.mktemp("attacks") / "state"
    others = below(os.getpid())  # what the parts of other tests keep until the end
    config = EmbeddedConfig(
        strongest=level,
        folder=folder,
        imports=ImportPolicy(checked=False),
        preload=PRELOADED_LEAST,
        limits=LIMITS,
        size=PoolSize(minimum=2, maximum=2),
    )
    sandbox = await started(config)
    steady: set[int] = set()

    async def settled(_session: Session) -> None:
        await until(lambda: sandbox.stats().idle == 1)
        assert len(below(os.getpid()) - others) == len(steady)

    async with target(sandbox, folder, settled) as made:
        await until(lambda: sandbox.stats().idle == 1)
        steady |= below(os.getpid()) - others
        yield made
    await sandbox.stop()
    assert not below(os.getpid()) - others


@pytest.fixture(scope="module")
def seen(attacked: AttackTarget) -> Callable[[str, Status], None]:
    assert isinstance(attacked.sandbox, EmbeddedSandbox)
    return judge(attacked.sandbox.level().name)


@pytest.mark.asyncio(loop_scope="module")
class TestEmbeddedAttacks(AttacksConformance):
    @pytest.mark.requirement("sandbox-attacks-contained")
    @pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name.replace(" ", "_"))
    async def test_an_attack_is_contained_and_nobody_else_notices(
        self, attacked: AttackTarget, attack: Attack, seen: Callable[[str, Status], None]
    ) -> None:
        seen(attack.name, await carried_out(attacked, attack))
