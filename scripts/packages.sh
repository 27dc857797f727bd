#!/bin/sh
# Installs the Debian packages that some tests use, as root on Debian only; elsewhere those tests use what is there or are
# skipped with their reason. TABLEWRIGHT_NO_APT=1 forbids it.
set -eu
packages="chromium nodejs npm fonts-noto-cjk libreoffice-calc libreoffice-writer docker.io runsc debootstrap mariadb-server"

missing=
for package in $packages; do
  # Builds of node from elsewhere bring npm along and refuse Debian's.
  if [ "$package" = npm ] && command -v npm >/dev/null 2>&1; then continue; fi
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "${TABLEWRIGHT_NO_APT:-}" = 1 ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "not installed, the tests that need them are skipped:$missing" >&2
  exit 0
fi
echo "installing Debian packages for the tests:$missing" >&2
log=$(mktemp)
if { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
  rm -f "$log"
else
  tail -n 5 "$log" >&2
  echo "could not install them; the tests that need them are skipped" >&2
fi
