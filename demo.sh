#!/usr/bin/env bash
# The main job on a real program: installs what is missing (Debian packages), builds the command and the driver,
# and simulates two frames of glxgears on the ATTILA machine. Works from any folder, as root or with sudo;
# incremental.
set -eu
cd "$(dirname "$(readlink -f "$0")")"
. tools/packages.sh

case "${1:-}" in
  "") ;;
  -h|--help)
    echo "usage: ./demo.sh"
    echo "Installs what is missing, builds, simulates frames 2 and 3 of glxgears into out/demo."
    exit 0 ;;
  *) echo "demo.sh: unknown argument '$1' (see --help)" >&2; exit 2 ;;
esac

# shellcheck disable=SC2086
install_packages $packages_build $packages_run

step() { printf '\n== %s\n' "$1"; }

step "Build"
mkdir -p build
cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
cmake --build --preset release --target cutaway vulkan_cutaway

step "glxgears on the ATTILA machine of 2005"
build/release/cutaway run --gpu attila --frames 2..3 --verify --out out/demo -- glxgears

step "Done"
cat <<END
pictures   $PWD/out/demo/frames/0002.png and 0003.png, scanned out of simulated memory
figures    $PWD/out/demo/summary.json
the same frames on another machine, in a second:
  build/release/cutaway simulate out/demo/capture.cutaway --set shader.units=4 --out out/demo4
END
