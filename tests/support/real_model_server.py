"""The program behind `tests/support/real_model.py`: serves one small language model until its standard input ends.

Runs in an environment of its own (requirements/real-model.lock) and imports nothing of ours. Usage: MODEL MAX_TOKENS.
"""

from __future__ import annotations

import json
import resource
import sys

import xllamacpp  # type: ignore[import-not-found]  # in an environment of its own

CONTEXT_TOKENS = 8_192
THREADS = 2
"""They sleep while they wait for each other, which `real_model.py` says in the environment: they would spin else, and
beside other work two would be many times slower than one."""
CACHE_MIB = 1_024
"""What is kept of earlier prompts: those of one kind of run begin alike, and reading them is most of the work."""
ADDRESS_SPACE_BYTES = 3 * 2**30
SEED = 11


def main(model: str, max_tokens: int) -> None:
    """Serve `model` on a free port of this machine and write its address as one line of JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))
    given = xllamacpp.CommonParams()
    given.model.path = model
    given.n_ctx = CONTEXT_TOKENS
    given.n_predict = max_tokens
    given.n_parallel = 1
    given.cache_ram_mib = CACHE_MIB
    given.cpuparams.n_threads = THREADS
    given.cpuparams_batch.n_threads = THREADS
    given.sampling.seed = SEED
    given.ui = False
    given.verbosity = 1
    server = xllamacpp.Server(given)
    sys.stdout.write(json.dumps({"address": server.listening_address}) + "\n")
    sys.stdout.flush()
    sys.stdin.read()


main(sys.argv[1], int(sys.argv[2]))
