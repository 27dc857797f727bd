#!/bin/sh
# Makes the environments that `make` needs, from the lock files, with hashes required. Does nothing when they are current,
# and else says what it does, how much there is of it and how long it takes.
#
#   scripts/environment.sh run    .venv with what the service needs, .venv-sandbox with what user code may import
#   scripts/environment.sh dev    the same, and what the checks and tests need
#   scripts/environment.sh bench  .venv-bench with the programs that the sandbox is measured beside; needs `run` or `dev` before
#   scripts/environment.sh model  .venv-model with the small language model of `make test-long`; needs `dev` before
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

python=${PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 || fail "no $python found. Install Python 3.11 or newer (Debian: apt install python3 python3-venv)."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or newer is needed; $("$python" --version 2>&1) is older. Set PYTHON=/path/to/python3.11."

digest() { cat "$@" | sha256sum | cut -c1-16; }
packages() { grep -c '==' "$1"; }
megabytes() { du -sm "$1" 2>/dev/null | cut -f1; }

# Runs a command and says every few seconds how long it has taken, how large the environment has become, and what the
# command said last. What it said stands in full where it fails.
watched() { # what it is, environment, command
  what=$1 environment=$2
  shift 2
  log=$(mktemp) began=$(date +%s) told=$(date +%s)
  "$@" >"$log" 2>&1 &
  job=$!
  while kill -0 "$job" 2>/dev/null; do
    sleep 0.2
    now=$(date +%s)
    if [ $((now - told)) -ge 3 ]; then
      told=$now
      say "$(printf '%5d s %6s MB  %s' $((now - began)) "$(megabytes "$environment")" "$(grep -v '^WARNING' "$log" | tail -n 1 | cut -c1-70)")"
    fi
  done
  if wait "$job"; then
    say "$(printf '%5d s %6s MB  %s: done' $(($(date +%s) - began)) "$(megabytes "$environment")" "$what")"
    rm -f "$log"
  else
    tail -n 15 "$log" >&2
    rm -f "$log"
    return 1
  fi
}

# An empty virtual environment with pip: by ensurepip; without it by uv; as root on Debian after installing what is missing.
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

pip() { .venv/bin/python -m pip --disable-pip-version-check "$@"; }

# What builds the project and fills environments quickly; where uv cannot be had, pip does the same more slowly.
find_tools() {
  watched "tools to install with" .venv pip install --quiet --require-hashes -r requirements/tools.lock
  uv=.venv/bin/uv
}

install_project() { # the page is built afterwards, by scripts/page.sh
  TABLEWRIGHT_SKIP_WEB=1 pip install --quiet --no-deps --no-build-isolation -e .
}

# A lock names everything, so that nothing is resolved anew.
fill() { # environment, lock, what it comes to in MB
  say "$1: $(packages "$2") packages of $2, about $3 MB when installed"
  watched "installed by uv" "$1" "$uv" pip install --python "$1/bin/python" --no-deps --require-hashes -r "$2" ||
    watched "installed by pip" "$1" .venv/bin/python -m pip --disable-pip-version-check --python "$1/bin/python" install \
      --progress-bar off --no-deps --require-hashes -r "$2"
}

stamp() { # environment, content: true when the environment was made from this content
  [ -f "$1/.made-from" ] && [ "$(cat "$1/.made-from")" = "$2" ]
}

purelib() { "$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }

# What no session can use: the tests of libraries, and pyarrow's clients of network services, for it has no network.
strip_unused() {
  find "$(purelib "$1")" -type d -name tests -prune -exec rm -rf {} +
  rm -f "$(purelib "$1")"/pyarrow/*flight*.so* "$(purelib "$1")"/pyarrow/*s3*.so*
}

runtime=$(digest requirements/runtime.lock pyproject.toml)
dev=$(digest requirements/runtime.lock requirements/dev.lock pyproject.toml)
box=$(digest src/tablewright/sandbox/sandbox.lock scripts/environment.sh scripts/first_imports.py)
peers=$(digest requirements/bench.lock)
model=$(digest requirements/real-model.lock)

case "${1:-}" in
  run) lock=requirements/runtime.lock size=400; want="run $runtime"; stamp .venv "dev $dev" && want="dev $dev" ;;
  dev) lock=requirements/dev.lock size=860; want="dev $dev" ;;
  bench | model) lock=; want= ;;
  *) fail "usage: scripts/environment.sh run|dev|bench|model" ;;
esac

if [ "$1" = bench ]; then
  stamp .venv-bench "$peers" && exit
  make_venv .venv-bench
  find_tools
  fill .venv-bench requirements/bench.lock 900
  watched "compiled" .venv-bench .venv-bench/bin/python -m compileall -q -j 0 "$(purelib .venv-bench)" || true
  printf '%s' "$peers" >.venv-bench/.made-from
  exit
fi

if [ "$1" = model ]; then
  stamp .venv-model "$model" && exit
  make_venv .venv-model
  [ -x .venv/bin/uv ] || find_tools
  uv=.venv/bin/uv
  fill .venv-model requirements/real-model.lock 200
  printf '%s' "$model" >.venv-model/.made-from
  exit
fi

if ! stamp .venv "$want"; then
  say "first setup: .venv for the service, .venv-sandbox for the code that answers questions"
  make_venv .venv
  find_tools
  fill .venv "$lock" "$size"
  watched "the project itself" .venv install_project
  printf '%s' "$want" >.venv/.made-from
fi
# Compiled here, once: every start would do it anew where what it compiles cannot be kept (PYTHONDONTWRITEBYTECODE, or a
# folder that its user cannot write). Some files of libraries are templates, which do not compile.
compiled() { .venv/bin/python -m compileall -qq -j 0 "$1" || true; }
if [ "$(cat .venv/.compiled 2>/dev/null)" != "$want" ]; then
  watched "compiled" .venv compiled "$(purelib .venv)"
  printf '%s' "$want" >.venv/.compiled
fi
compiled src
# So are the methods of its dataclasses, which compileall does not know of.
keep_methods() {
  kept=$(find src/tablewright/__pycache__ -name 'method_code.*.methods')
  [ -n "$kept" ] && [ -z "$(find src -name '*.py' -newer "$kept" | head -n 1)" ] && return
  env -u PYTHONDONTWRITEBYTECODE .venv/bin/python scripts/keep_methods.py
  find src/tablewright/__pycache__ -name 'method_code.*.methods' -exec touch {} +
}
keep_methods || true
if ! stamp .venv-sandbox "$box"; then
  [ -x .venv/bin/uv ] || find_tools
  uv=.venv/bin/uv
  "$python" -m venv --clear --without-pip .venv-sandbox
  fill .venv-sandbox src/tablewright/sandbox/sandbox.lock 880
  strip_unused .venv-sandbox
  watched "compiled what analyses import" .venv-sandbox env -u PYTHONDONTWRITEBYTECODE \
    .venv-sandbox/bin/python -X utf8 scripts/first_imports.py
  printf '%s' "$box" >.venv-sandbox/.made-from
fi
# The service does without the installer; whoever works on the project keeps it.
[ "$1" = dev ] || [ ! -x .venv/bin/uv ] || stamp .venv "dev $dev" || pip uninstall --quiet --yes uv
