#!/usr/bin/env bash
# Runs the tests as three processes beside each other, for two processors: one of them mostly waits for containers and
# browsers. What the others say is shown once the first has ended.
#
#   scripts/run_tests.sh short|long [pytest's arguments, which go to all]
#
# With REPEAT_FAILED=1, tests that failed in tests/integration and tests/acceptance, and only such, are run once more after
# all have ended, with nothing beside them. One that passes then is named on a line of its own (`flaky: NAME`) and is no
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

# Each part's paths and options, so that all end at about the same time.
declare -A part
part[outside]="tests/acceptance tests/docs"
part[inside]="tests/unit tests/integration --ignore=tests/integration/sandbox"
part[waiting]="tests/integration/sandbox"
if [ "$marked" = long ]; then
  # The real model takes as long there as all others do.
  part[waiting]+=" tests/integration/analyst"
  part[inside]+=" --ignore=tests/integration/analyst"
else
  part[outside]+=" --ignore-glob=*/test_web*.py"
  part[waiting]+=" $(compgen -G 'tests/acceptance/test_web*.py' | tr '\n' ' ')"
fi
pytest() { # name of the part, pytest's arguments
  .venv/bin/python -m pytest -m "$marked" -o cache_dir=".pytest_cache/$1" "${@:2}"
  local status=$?
  # A part may have no test that is marked `long`.
  if [ "$marked" = long ] && [ "$status" = 5 ]; then status=0; fi
  return "$status"
}
failed() { # the tests that failed when they last ran, one a line
  local name
  for name in outside inside waiting; do
    [ ! -f ".pytest_cache/$name/v/cache/lastfailed" ] ||
      .venv/bin/python -c 'import json, sys; print(*json.load(open(sys.argv[1])), sep="\n")' \
        ".pytest_cache/$name/v/cache/lastfailed"
  done
}

logs=$(mktemp -d)
declare -A other ended
trap 'kill "${other[@]}" 2>/dev/null; rm -rf "$logs"' EXIT
for name in inside waiting; do
  pytest "$name" --cache-clear ${part[$name]} "$@" >"$logs/$name" 2>&1 &
  other[$name]=$!
done
pytest outside --cache-clear ${part[outside]} "$@"
ended[outside]=$?
for name in inside waiting; do
  wait "${other[$name]}"
  ended[$name]=$?
  cat "$logs/$name"
done

[ "${ended[outside]}${ended[inside]}${ended[waiting]}" != 000 ] || exit 0
# 1: every test ran, and some failed. No other ending is mended by running tests again.
for status in "${ended[@]}"; do
  [ "${REPEAT_FAILED:-}" = 1 ] && [ "$status" -le 1 ] || exit 1
done
before=$(failed)
[ -n "$before" ] || exit 1
! grep -qv -e '^tests/acceptance/' -e '^tests/integration/' <<<"$before" || exit 1

echo "running again, alone, what failed:"
printf '  %s\n' "$before"
again=0
for name in outside inside waiting; do
  if [ "${ended[$name]}" = 1 ]; then pytest "$name" --last-failed ${part[$name]} "$@" || again=1; fi
done
after=$(failed)
while read -r name; do
  grep -qxF -- "$name" <<<"$after" || echo "flaky: $name"
done <<<"$before"
exit "$again"
