#!/usr/bin/env bash
# The one gate: installs what the tests need (Debian packages), builds, checks the format of the sources and
# who includes whom, and runs every test. Works from any folder, as root or with sudo; incremental.
set -eu
cd "$(dirname "$(readlink -f "$0")")"
. tools/packages.sh

case "${1:-}" in
  "") ;;
  -h|--help)
    echo "usage: ./check.sh"
    echo "Installs what is missing, builds the preset release, checks format and includes, runs all tests."
    exit 0 ;;
  *) echo "check.sh: unknown argument '$1' (see --help)" >&2; exit 2 ;;
esac

# shellcheck disable=SC2086
install_packages $packages_build $packages_run $packages_test

step() { printf '\n== %s\n' "$1"; }

step "Format"
git ls-files 'src/*.h' 'src/*.cpp' 'tests/*.h' 'tests/*.cpp' 'bench/*.cpp' 'examples/*.cpp' |
  xargs -r clang-format --dry-run -Werror

step "Include directions"
python3 tests/include_directions.py

step "Build"
cmake --preset release >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }
rm -f build.log
cmake --build --preset release

step "Tests"
ctest --preset release -j2
