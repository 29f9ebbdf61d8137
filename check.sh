#!/usr/bin/env bash
# The one gate: installs what the tests need (Debian packages), builds, checks the format of the sources and
# who includes whom, and runs the tests. Works from any folder, as root or with sudo; incremental.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"
. tools/packages.sh

usage() {
  cat <<'END'
usage: ./check.sh [--quick | --whole]

Installs what is missing, builds the preset release, checks format and includes, runs the tests, and says how long
each step took. The last line is ctest's count.

  (none)   the gate, before every merge: all tests labelled quick or gate; heavy ones run a sample
  --quick  after an edit of one box: builds the programs of quick tests only, and runs those (two minutes)
  --whole  the gate, and the whole of what it runs a sample of (label slow; about an hour)

Parts of it, in a built tree:
  cmake --build --preset release --target boxes_test && build/release/src/boxes/boxes_test --gtest_filter='Clipper*'
  ctest --preset release -R fidelity              one test by name
  ctest --preset release -L quick                 a label: quick, gate
  ctest --preset release -C Whole -R piglit.whole one of the label slow
CONTRIBUTING.md says what the gate samples, and what holds the rest.
END
}

mode=gate
case "${1:-}" in
  "") ;;
  --quick) mode=quick ;;
  --whole) mode=whole ;;
  -h|--help) usage; exit 0 ;;
  *) echo "check.sh: unknown argument '$1' (see --help)" >&2; exit 2 ;;
esac
[ $# -le 1 ] || { echo "check.sh: one argument at most (see --help)" >&2; exit 2; }

jobs=$(nproc)
times=""
current="" began=0
step() {  # step NAME: begins one and notes how long the one before took
  now=$(date +%s)
  [ -z "$current" ] || times+=$(printf '%-20s %4d s' "$current" $((now - began)))$'\n'
  current=$1 began=$now
  [ -z "$1" ] || printf '\n== %s\n' "$1"
}
log=$(mktemp)
tell_times() {
  status=$?
  step ""
  printf '\n%s' "$times"
  grep 'tests passed' "$log" || true
  rm -f "$log"
  exit "$status"
}
trap tell_times EXIT

step "Packages"
# shellcheck disable=SC2086
install_packages $packages_build $packages_run $packages_test

step "Format"
git ls-files 'src/*.h' 'src/*.cpp' 'tests/*.h' 'tests/*.cpp' 'bench/*.cpp' 'examples/*.cpp' |
  xargs -r -P "$jobs" -n 40 clang-format --dry-run -Werror

step "Include directions"
python3 tests/include_directions.py

step "Plain English"
python3 tests/plain_english.py | tail -1

step "Build"
# A build from nothing compiles files together; a folder that exists stays as it is.
unity=()
[ -e build/release/CMakeCache.txt ] || unity=(-DCUTAWAY_UNITY=ON)
cmake --preset release "${unity[@]}" >"$log" 2>&1 || { cat "$log"; exit 1; }
if [ "$mode" = quick ]; then
  cmake --build --preset release --target quick_tests
else
  cmake --build --preset release
fi

step "Tests"
tests=$((jobs + 1))  # several wait for programs most of their time
case "$mode" in
  quick) ctest --preset release -j "$tests" --output-log "$log" -L quick ;;
  gate) ctest --preset release -j "$tests" --output-log "$log" -LE slow ;;
  whole) ctest --preset release -j "$tests" --output-log "$log" -C Whole ;;
esac
