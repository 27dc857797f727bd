#!/usr/bin/env bash
# Runs all tests as two processes beside each other: one mostly waits for other programs while the other computes.
# What the second one says is shown once the first has ended. Arguments go to both.
set -uo pipefail
cd "$(dirname "$0")/.."

outside="tests/acceptance"
inside="tests/unit tests/docs tests/integration"
pytest() { .venv/bin/python -m pytest -o cache_dir=".pytest_cache/$1" "${@:2}"; }

log=$(mktemp)
pytest inside $inside "$@" >"$log" 2>&1 &
other=$!
trap 'kill "$other" 2>/dev/null; rm -f "$log"' EXIT
pytest outside $outside "$@"
first=$?
wait "$other"
second=$?
cat "$log"
[ "$first" = 0 ] && [ "$second" = 0 ]
