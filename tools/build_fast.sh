#!/usr/bin/env bash
# Builds the command `cutaway` and the Vulkan driver with clang 19, link-time optimisation and a profile: a first build
# counts how often its code runs while it captures and simulates glxgears, examples/night and scenes of glmark2, and
# the second is optimised for these counts. At the end both simulate the same frames, and it fails if a cycle, a
# counter or a byte of memory differs.
set -eu
given=()
for argument in "$@"; do
  case "$argument" in
    -h|--help)
      echo "usage: tools/build_fast.sh [CAPTURE...]"
      echo "Builds build/fast/cutaway and the driver beside it, optimised for what glxgears, examples/night and scenes"
      echo "of glmark2 do, and for all frames of the captures, which should be few. Takes 17 minutes on two cores."
      echo "Run it again after a change: cmake --build alone goes on with the old counts."
      exit 0 ;;
    -*) echo "build_fast.sh: unknown option '$argument' (see --help)" >&2; exit 2 ;;
    *) [ -f "$argument" ] && [ -r "$argument" ] || { echo "build_fast.sh: cannot read $argument" >&2; exit 2; }
       given+=("$(readlink -f "$argument")") ;;
  esac
done
cd "$(dirname "$(readlink -f "$0")")/.."
. tools/packages.sh

# shellcheck disable=SC2086
install_packages $packages_build $packages_run $packages_fast
counting=$PWD/build/fast-counting
work=$counting/profile
rm -rf "$work"
mkdir -p "$work/counts"
# Continuous counts (%c): processes that simulate a frame end without writing them.
export LLVM_PROFILE_FILE=$work/counts/%m-%p%c.profraw

step() { printf '\n== %s\n' "$1"; }
quietly() { "$@" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; echo "failed: $*" >&2; exit 1; }; }
# The code is kept free of warnings of g++ alone, hence -w. mold links neither code that counts nor that of LLVM.
configure() {  # FOLDER FLAGS OPTION...
  quietly cmake --fresh --preset fast -B "$1" -DCUTAWAY_UNITY=ON -DCMAKE_C_COMPILER=clang-19 \
    -DCMAKE_CXX_COMPILER=clang++-19 "-DCMAKE_CXX_FLAGS=-w $2" -DCUTAWAY_MOLD=OFF \
    -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld -DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=lld "${@:3}"
}

step "Build a command that counts"
configure "$counting" "-fprofile-generate -mllvm -runtime-counter-relocation -mllvm -disable-vp" \
  -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF
cmake --build "$counting" --target cutaway night

step "Count"
runs=()  # each: FRAME CHIP CAPTURE, FRAME as bench/cycles.py takes it
simulate() {  # CAPTURE FRAME
  local frames=() gpu
  [ "$2" = all ] || frames=(--frames "$2")
  for gpu in attila geforce6800 g80 d3d11; do
    rm -rf "$work/out"
    if "$counting/cutaway" simulate "$1" "${frames[@]}" --gpu "$gpu" --jobs 1 --quiet --stats none --out "$work/out" \
      >"$work/log" 2>&1; then
      runs+=("$2 $gpu $1")
      echo "${1##*/} on $gpu"
    else
      echo "left out: ${1##*/} on $gpu: $(tail -1 "$work/log")"
    fi
  done
}
record() {  # NAME FRAMES CHIP PROGRAM...
  quietly "$counting/cutaway" capture -o "$work/$1.cutaway" --frames "1..$2" --gpu "$3" --quiet -- "${@:4}"
}
record glxgears 3 attila glxgears
simulate "$work/glxgears.cutaway" all
record night 1 attila "$counting/examples/night" "$work/night.ppm"
simulate "$work/night.cutaway" all
for scene in desktop bump:bump-render=normals shading:shading=phong effect2d refract jellyfish terrain; do
  # The driver draws more frames than are simulated, since it takes a hundredth of the time. A scene ends after
  # `duration` seconds, but here with its last frame, however slow that is.
  record "${scene%%:*}" 10 d3d11 glmark2 --size 1024x768 --benchmark "$scene:duration=1000"
  simulate "$work/${scene%%:*}.cutaway" 2
done
for capture in "${given[@]}"; do simulate "$capture" all; done
quietly llvm-profdata-19 merge -o "$work/counts.profdata" "$work"/counts/*.profraw
llvm-profdata-19 show --function=TextureUnit "$work/counts.profdata" | grep -q TextureUnit ||
  { echo "build_fast.sh: the boxes of the machine were not counted" >&2; exit 1; }

step "Build for these counts"
configure build/fast "-fprofile-use=$work/counts.profdata"
cmake --build --preset fast

step "Compare"
for run in "${runs[@]}"; do
  read -r frame gpu capture <<<"$run"
  quietly bench/cycles.py --capture "$capture" --frame "$frame" --runs 1 --gpu "$gpu" "$counting/cutaway" \
    build/fast/cutaway
  echo "equal: ${capture##*/} on $gpu"
done
rm -rf "$work/counts" "$work/out"
echo "the fast command: $PWD/build/fast/cutaway"
