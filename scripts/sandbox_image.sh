#!/bin/sh
# Builds the image of the Docker sandbox without a registry: the base is bootstrapped from the archive that apt uses on this
# machine, the packages of sandbox.lock, hashes required, come from the installer of the checkout where there is one, else from
# wheels that are downloaded here. Nothing that is installed into the image has a network. Where a registry is at hand,
# docker/Dockerfile makes the same image.
#
#   scripts/sandbox_image.sh [TAG]      TAG is `tablewright-sandbox` where none is given
#
# Needs root, debootstrap, and the docker command with its daemon (DOCKER_HOST). What takes long is kept in TABLEWRIGHT_CACHE
# (default ~/.cache/tablewright/image), named by what it was made from.
set -eu
umask 022
cd "$(dirname "$0")/.."

tag=${1:-tablewright-sandbox}
cache=${TABLEWRIGHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tablewright/image}
lock=src/tablewright/sandbox/sandbox.lock
first_imports=scripts/first_imports.py
worker=src/tablewright/sandbox/worker
base_packages=python3,python3-venv,fonts-wqy-microhei
repository=tablewright-sandbox-packages

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }
quietly() { # a command; its output is shown only if it fails
  "$@" >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; fail "$1 failed"; }
}

[ "$(id -u)" = 0 ] || fail "debootstrap needs root; without it: docker build --target sandbox --tag $tag --file docker/Dockerfile ."
for program in debootstrap docker apt-get unshare; do
  command -v "$program" >/dev/null 2>&1 || fail "$program was not found (Debian: apt install debootstrap docker.io)"
done

# Where apt gets this system's own packages from, and under which name.
set -- $(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(ARCHITECTURE)' 'Identifier: Packages' 'Component: main' |
  grep -v -e '-updates ' -e '-security ' -e '-backports ' | head -n 1)
[ $# = 3 ] || fail "apt names no archive on this machine"
mirror=$1 suite=$2 architecture=$3

digest() { sha256sum | cut -c1-16; }
base_key=$(echo "$suite $architecture $base_packages" | digest)
packages_key=$({ echo "$base_key"; cat "$lock" "$0" "$first_imports"; } | digest)
base=$cache/base-$base_key.tar
packages=$cache/packages-$packages_key.tar

mkdir -p "$cache"
work=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
root=$work/root

make_base() {
  say "bootstrapping $suite ($architecture)"
  quietly debootstrap --variant=minbase --arch="$architecture" --include="$base_packages" "$suite" "$root" "$mirror"
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/doc/* "$root"/usr/share/man/* \
    "$root"/usr/share/locale/* "$root"/etc/apt/sources.list "$root"/var/log/*
  keep "$base"
}

keep() { # a tar of the root, whole or not there at all
  tar -C "$root" --numeric-owner -cf "$work/tar" .
  mv "$work/tar" "$1"
}

find_pip() {
  for python in .venv/bin/python python3; do
    "$python" -m pip --version >/dev/null 2>&1 && return
  done
  quietly python3 -m venv "$work/venv"
  python=$work/venv/bin/python
}

make_packages() {
  mkdir -p "$root"
  tar -C "$root" --numeric-owner -xf "$base"
  version=$(chroot "$root" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  quietly unshare --net chroot "$root" python3 -m venv --without-pip /opt/sandbox
  install_by_uv || install_by_pip
  # What no session can use, and what analyses import compiled, as in the environment of a checkout.
  find "$root/opt/sandbox/lib" -type d -name tests -prune -exec rm -rf {} +
  rm -f "$root/opt/sandbox/lib/python$version"/site-packages/pyarrow/*flight*.so* \
    "$root/opt/sandbox/lib/python$version"/site-packages/pyarrow/*s3*.so*
  cp "$first_imports" "$root/first_imports.py"
  quietly unshare --net chroot "$root" env MPLCONFIGDIR=/opt/tablewright/matplotlib \
    /opt/sandbox/bin/python -X utf8 /first_imports.py
  rm -rf "$root/first_imports.py" "$root/root/.cache"
  keep "$packages"
  rm -rf "$root"
}

# The environment of the checkout has been filled by it from the same lock: little is left to download.
install_by_uv() {
  [ -x .venv/bin/uv ] || return 1
  [ "$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')" = "$version" ] || return 1
  say "installing $(grep -c '==' "$lock") packages for Python $version"
  .venv/bin/uv pip install --quiet --system-certs --python .venv/bin/python --no-deps --require-hashes \
    --target "$root/opt/sandbox/lib/python$version/site-packages" -r "$lock" >"$work/uv" 2>&1
}

install_by_pip() {
  find_pip
  say "downloading $(grep -c '==' "$lock") packages for Python $version"
  quietly "$python" -m pip download --no-deps --require-hashes --python-version "$version" --dest "$root/wheels" -r "$lock"
  for source in "$root"/wheels/*.tar.gz; do
    [ -e "$source" ] && quietly "$python" -m pip wheel --no-deps --use-pep517 --wheel-dir "$root/wheels" "$source"
  done
  say "installing them, without a network"
  quietly unshare --net chroot "$root" python3 -m venv /wheels/venv
  quietly unshare --net chroot "$root" sh -c \
    '/wheels/venv/bin/pip --python /opt/sandbox/bin/python install --no-index --no-deps --no-cache-dir --no-compile /wheels/*.whl'
  rm -rf "$root/wheels"
}

if ! docker image inspect "$repository:$packages_key" >/dev/null 2>&1; then
  if [ ! -f "$packages" ]; then
    if [ ! -f "$base" ]; then
      make_base
      rm -rf "$root"
    fi
    make_packages
  fi
  say "importing $repository:$packages_key"
  docker import "$packages" "$repository:$packages_key" >/dev/null
fi

# The worker program on top: this much changes with the project.
mkdir "$work/worker"
(cd "$worker" && find . -name '*.py' -o -name matplotlibrc) | (cd "$worker" && xargs tar -cf -) | tar -C "$work/worker" -xf -
container=$(docker create --network none "$repository:$packages_key" \
  /opt/sandbox/bin/python -m compileall -q /opt/tablewright/worker)
trap 'docker rm --force "$container" >/dev/null; rm -rf "$work"' EXIT
docker cp "$work/worker" "$container:/opt/tablewright/worker"
docker start --attach "$container"
docker commit --change 'ENTRYPOINT ["/usr/bin/env", "-i", "/opt/sandbox/bin/python", "-I", "-X", "utf8", "/opt/tablewright/worker/launch.py", "agent"]' \
  --change 'CMD []' --change 'USER 65534:65534' --change 'WORKDIR /' "$container" "$tag" >/dev/null
say "made $tag"
