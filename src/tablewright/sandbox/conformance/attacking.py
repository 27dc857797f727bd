"""Carry out attacks on a sandbox, with a second session that must not be affected and secrets planted on the host."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from string import Template
from textwrap import indent

import pytest

from tablewright.sandbox.base import SHARED_FOLDER, Done, Input, Sandbox, Session, Status
from tablewright.sandbox.conformance import attacks_process
from tablewright.sandbox.conformance.attacks import ATTACKS, KEPT, Attack, Facts
from tablewright.sandbox.conformance.examples import PRINTS, SCOPE, end, run, text

_WORDS = "nobody reads this"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackTarget:
    """The environment of an attack.

    `sandbox` is the one under attack, with its import policy off; `witness` is a session that must not be affected;
    `settled` waits until nothing of an attack's session is left, and fails if anything remains.
    """

    sandbox: Sandbox
    witness: Session
    facts: Facts
    settled: Callable[[Session], Awaitable[None]]


@asynccontextmanager
async def target(
    sandbox: Sandbox, folder: Path, settled: Callable[[Session], Awaitable[None]]
) -> AsyncIterator[AttackTarget]:
    """Prepare a started sandbox whose state is in `folder`; afterwards check that the planted secrets are untouched."""
    secret = folder.parent / "secret"
    await asyncio.to_thread(secret.write_text, _WORDS)
    witness = await sandbox.acquire(SCOPE, [Input(path=secret, name="other.csv")])
    await run(witness, "open('other.txt', 'w').write('mine');")
    listener = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    name = (await witness.info()).id
    places = await asyncio.to_thread(lambda: list(folder.glob(f"*/sessions/{name}")))
    facts = Facts(
        secret=str(secret),
        port=listener.sockets[0].getsockname()[1],
        service=os.getpid(),
        other=name,
        other_folder=str(places[0]),
        shared=SHARED_FOLDER,
    )
    try:
        yield AttackTarget(sandbox=sandbox, witness=witness, facts=facts, settled=settled)
    finally:
        listener.close()
        await witness.release()
    assert await asyncio.to_thread(secret.read_text) == _WORDS


async def carried_out(target: AttackTarget, attack: Attack) -> Status:
    """Carry out `attack` and return how it ended. Raises AssertionError if it was not contained or affected others."""
    session = await target.sandbox.acquire(SCOPE)
    try:
        outputs = await run(session, attack.aimed(target.facts), timeout_s=attack.timeout_s)
        assert "BREACH" not in text(outputs), text(outputs)
        done = end(outputs)
        assert done.status in attack.ends, outputs[-2:]
        await _as_promised(session, done)
        assert end(await run(target.witness, "assert open('other.txt').read() == 'mine'")).status == "ok"
        for file in await session.files():
            assert sum([len(chunk) async for chunk in session.read(file.path)]) == file.size_bytes
    finally:
        await session.release()
    await target.settled(session)
    return done.status


async def _as_promised(session: Session, done: Done) -> None:
    """Check that the session is lost if its status says so, and still works if not.

    After running out of memory its variables still hold that memory: the next code may run out of it at once."""
    assert done.session_lost == (done.status not in KEPT)
    if not done.session_lost:
        after = end(await run(session, PRINTS))
        assert after.status in {"ok", done.status if done.status == "oom" else "ok"}
        assert not after.session_lost


class AttacksConformance:
    """Needs the fixtures `attacked` (a `AttackTarget`) and `seen` (a function that takes each attack's name and
    ending)."""

    @pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name.replace(" ", "_"))
    async def test_an_attack_is_contained_and_nobody_else_notices(
        self, attacked: AttackTarget, attack: Attack, seen: Callable[[str, Status], None]
    ) -> None:
        seen(attack.name, await carried_out(attacked, attack))

    async def test_links_and_special_files_are_not_read_by_the_service(self, attacked: AttackTarget) -> None:
        session = await attacked.sandbox.acquire(SCOPE)
        plant = f"import os\nos.symlink('{attacked.facts.secret}', 'link')\nos.symlink('/etc', 'folder')"
        await run(session, f"{plant}\nopen('plain', 'w').close()")
        assert [file.path for file in await session.files()] == ["plain"]
        for path in ("link", "folder/shadow", "folder/../../secret"):
            with pytest.raises(Exception, match="not_found"):
                _ = [chunk async for chunk in session.read(path)]
        await session.release()

    @pytest.mark.parametrize("body", attacks_process.CHECKS.values(), ids=attacks_process.CHECKS)
    async def test_a_check_that_the_session_replaced_is_watched_like_an_execution(
        self, attacked: AttackTarget, body: str
    ) -> None:
        session = await attacked.sandbox.acquire(SCOPE)
        try:
            replaced = Template(attacks_process.REPLACED_CHECK).substitute(body=indent(body, "    "))
            outputs = await run(session, replaced)
            assert end(outputs).status == "ok", outputs
            async with asyncio.timeout(60):
                assert await session.check("1 + 1") == "invalid"
            assert (await session.info()).lost
        finally:
            await session.release()
        await attacked.settled(session)
