#!/usr/bin/env bash
# Runs the tests as two processes beside each other: one mostly waits for other programs while the other computes.
# What the second one says is shown once the first has ended.
#
#   scripts/run_tests.sh short|long [pytest's arguments, which go to both]
#
# With REPEAT_FAILED=1, tests that failed in tests/integration and tests/acceptance, and only such, are run once more after
# both have ended, with nothing beside them. One that passes then is named on a line of its own (`flaky: NAME`) and is no
# failure; one that fails again is. Whatever else went wrong stands: a failed unit test, a skip that is not allowed, an error
# of the run itself.
set -uo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  short) marked="not long" ;;
  long) marked="long" ;;
  *) echo "usage: scripts/run_tests.sh short|long [pytest's arguments]" >&2; exit 2 ;;
esac
shift

outside="tests/acceptance tests/docs"
inside="tests/unit tests/integration"
# The long ones of the analyst go to the first process, the short ones in a browser to the second, so that both end at
# about the same time.
if [ "$marked" = long ]; then
  outside="$outside tests/integration/analyst"
  inside="$inside --ignore=tests/integration/analyst"
else
  outside="$outside --ignore-glob=*/test_web*.py"
  inside="$inside $(compgen -G 'tests/acceptance/test_web*.py' | tr '\n' ' ')"
fi
pytest() { # name of the cache, pytest's arguments
  .venv/bin/python -m pytest -m "$marked" -o cache_dir=".pytest_cache/$1" "${@:2}"
  local status=$?
  # No test is marked `long` there.
  if [ "$marked" = long ] && [ "$status" = 5 ]; then status=0; fi
  return "$status"
}
failed() { # name of the cache: the tests that failed when they last ran, one a line
  [ ! -f ".pytest_cache/$1/v/cache/lastfailed" ] ||
    .venv/bin/python -c 'import json, sys; print(*json.load(open(sys.argv[1])), sep="\n")' ".pytest_cache/$1/v/cache/lastfailed"
}

log=$(mktemp)
pytest inside --cache-clear $inside "$@" >"$log" 2>&1 &
other=$!
trap 'kill "$other" 2>/dev/null; rm -f "$log"' EXIT
pytest outside --cache-clear $outside "$@"
first=$?
wait "$other"
second=$?
cat "$log"

[ "$first" = 0 ] && [ "$second" = 0 ] && exit 0
# 1: every test ran, and some failed. No other ending is mended by running tests again.
[ "${REPEAT_FAILED:-}" = 1 ] && [ "$first" -le 1 ] && [ "$second" -le 1 ] || exit 1
before=$(failed outside; failed inside)
[ -n "$before" ] || exit 1
! grep -qv -e '^tests/acceptance/' -e '^tests/integration/' <<<"$before" || exit 1

echo "running again, alone, what failed:"
printf '  %s\n' "$before"
again=0
if [ "$first" = 1 ]; then pytest outside --last-failed $outside "$@" || again=1; fi
if [ "$second" = 1 ]; then pytest inside --last-failed $inside "$@" || again=1; fi
after=$(failed outside; failed inside)
while read -r name; do
  grep -qxF -- "$name" <<<"$after" || echo "flaky: $name"
done <<<"$before"
exit "$again"
