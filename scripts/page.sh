#!/bin/sh
# Builds the page into the checkout, unless it is current. Without Node 20.19 or newer on the machine, Node comes from PyPI
# into .venv-node. TABLEWRIGHT_SKIP_WEB=1 leaves the page out; the service then says at its address how to build it.
set -eu
cd "$(dirname "$0")/.."
[ "${TABLEWRIGHT_SKIP_WEB:-0}" = 0 ] || exit 0
stamp=src/tablewright/_web/.digest
if [ -f "$stamp" ] && [ -z "$(find web/src web/public web/*.json web/*.ts web/index.html -newer "$stamp" -print -quit)" ]; then exit 0; fi
new_enough() { command -v npm >/dev/null 2>&1 && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null; }
python=.venv/bin/python
echo "the page: npm packages, about 400 MB the first time, then a build of some seconds" >&2
if new_enough; then
  exec "$python" scripts/build_page.py >&2
fi
if [ ! -x .venv-node/bin/python ]; then
  "$python" -m venv .venv-node
  .venv-node/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r requirements/node.lock >&2
fi
exec .venv-node/bin/python scripts/build_page.py >&2
