#!/bin/sh
# Makes the environments that `make` needs, from the lock files, with hashes required. Does nothing when they are current.
#
#   scripts/environment.sh run    .venv with what the service needs, .venv-sandbox with what user code may import
#   scripts/environment.sh dev    the same, and what the checks and tests need
#   scripts/environment.sh bench  .venv-bench with the programs that the sandbox is measured beside; needs `run` or `dev` before
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 || fail "no $python found. Install Python 3.11 or newer (Debian: apt install python3 python3-venv)."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or newer is needed; $("$python" --version 2>&1) is older. Set PYTHON=/path/to/python3.11."

digest() { cat "$@" | sha256sum | cut -c1-16; }

# An empty virtual environment: by ensurepip; without it by uv; as root on Debian after installing what is missing.
make_venv() {
  [ -x "$1/bin/python" ] && return
  if "$python" -c 'import ensurepip' 2>/dev/null; then
    "$python" -m venv "$1"
  elif command -v uv >/dev/null 2>&1; then
    uv venv --quiet --seed --python "$python" "$1"
  elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 && [ "${TABLEWRIGHT_NO_APT:-}" != 1 ]; then
    say "installing: python3-venv"
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3-venv; } >&2
    "$python" -m venv "$1"
  else
    fail "this Python cannot make virtual environments. Install its venv module (Debian: apt install python3-venv) or uv."
  fi
}

# What builds the project and fills environments quickly; where uv cannot be had, pip does the same more slowly.
find_tools() {
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/tools.lock
  uv=.venv/bin/uv
}

install_project() {
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
}

fill() { # environment, lock
  say "installing into $1: $(grep -c '==' "$2") packages of $2"
  if "$uv" pip install --quiet --python "$1/bin/python" --require-hashes -r "$2"; then
    return
  fi
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$2"
}

stamp() { # environment, content: true when the environment was made from this content
  [ -f "$1/.made-from" ] && [ "$(cat "$1/.made-from")" = "$2" ]
}

runtime=$(digest requirements/runtime.lock pyproject.toml)
dev=$(digest requirements/runtime.lock requirements/dev.lock pyproject.toml)
box=$(digest src/tablewright/sandbox/sandbox.lock)

peers=$(digest requirements/bench.lock)

case "${1:-}" in
  run) lock=requirements/runtime.lock; want="run $runtime"; stamp .venv "dev $dev" && want="dev $dev" ;;
  dev) lock=requirements/dev.lock; want="dev $dev" ;;
  bench) lock=; want= ;;
  *) fail "usage: scripts/environment.sh run|dev|bench" ;;
esac

compile() { # environment: its modules, so that the first start costs what any does
  "$1/bin/python" -m compileall -q -j 0 "$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" >/dev/null 2>&1 || true
}

if [ "$1" = bench ]; then
  stamp .venv-bench "$peers" && exit
  make_venv .venv-bench
  find_tools
  fill .venv-bench requirements/bench.lock
  compile .venv-bench
  printf '%s' "$peers" >.venv-bench/.made-from
  exit
fi

if ! stamp .venv "$want"; then
  make_venv .venv
  find_tools
  fill .venv "$lock"
  install_project
  printf '%s' "$want" >.venv/.made-from
fi
if ! stamp .venv-sandbox "$box"; then
  make_venv .venv-sandbox
  find_tools
  fill .venv-sandbox src/tablewright/sandbox/sandbox.lock
  compile .venv-sandbox
  printf '%s' "$box" >.venv-sandbox/.made-from
fi
