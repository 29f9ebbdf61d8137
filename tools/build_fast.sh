#!/usr/bin/env bash
# Builds the command `cutaway` with link-time optimisation, and lays its code out as simulations run through it
# (llvm-bolt): blocks that follow each other lie together, and blocks that are hardly run lie apart. Records
# glxgears and examples/night, or takes captures, and simulates them on the four chips to learn how the code runs.
# At the end it simulates them again with and without the layout, and fails if a cycle, a counter or a byte of
# memory differs.
set -eu
captures=()
for argument in "$@"; do
  case "$argument" in
    -h|--help)
      echo "usage: tools/build_fast.sh [CAPTURE...]"
      echo "Builds build/fast/cutaway, laid out for simulations of all frames of the captures, which should be few;"
      echo "default: of three frames of glxgears and one of examples/night. Takes ten minutes or more on two cores."
      echo "Run it again after a change: cmake --build alone makes a command that is not laid out."
      exit 0 ;;
    -*) echo "build_fast.sh: unknown option '$argument' (see --help)" >&2; exit 2 ;;
    *) [ -f "$argument" ] && [ -r "$argument" ] || { echo "build_fast.sh: cannot read $argument" >&2; exit 2; }
       captures+=("$(readlink -f "$argument")") ;;
  esac
done
cd "$(dirname "$(readlink -f "$0")")/.."
. tools/packages.sh

# shellcheck disable=SC2086
install_packages $packages_build $packages_run $packages_fast
bolt=/usr/lib/llvm-19/bin/llvm-bolt  # beside this path it looks for its library of counters
[ -x "$bolt" ] || { echo "build_fast.sh: there is no $bolt, which the Debian package bolt-19 brings" >&2; exit 1; }
folder=build/fast
work=$PWD/$folder/layout
mkdir -p "$work"

step() { printf '\n== %s\n' "$1"; }
quietly() { "$@" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; echo "failed: $*" >&2; exit 1; }; }

step "Build"
# llvm-bolt moves functions if the linker leaves a note of each address.
quietly cmake --preset fast -DCMAKE_EXE_LINKER_FLAGS=-Wl,--emit-relocs
rm -f "$folder/cutaway"  # which may be laid out already
cmake --build --preset fast --target cutaway vulkan_cutaway night
cp "$folder/cutaway" "$folder/cutaway.linked"

if [ ${#captures[@]} = 0 ]; then
  step "Record"
  record() {  # NAME FRAMES PROGRAM...
    captures+=("$work/$1.cutaway")
    quietly "$folder/cutaway" capture -o "$work/$1.cutaway" --frames "1..$2" --gpu attila --quiet -- "${@:3}"
  }
  record glxgears 3 glxgears
  record night 1 "$folder/examples/night" "$work/night.ppm"
fi

step "Count"
rm -f "$work"/counts*
# All processes of a simulation share its counters: one that simulates a frame ends without writing them.
quietly "$bolt" "$folder/cutaway.linked" -instrument -instrumentation-file="$work/counts" -o "$folder/cutaway.counting"
counted=0
declare -A chips  # by capture: those that simulate it, as options
for capture in "${captures[@]}"; do
  for gpu in attila geforce6800 g80 d3d11; do
    rm -rf "$work/out"
    if "$folder/cutaway.counting" simulate "$capture" --gpu "$gpu" --jobs 1 --quiet --stats none --out "$work/out" \
      >"$work/log" 2>&1; then
      chips[$capture]+=" --gpu $gpu"
      mv "$work/counts" "$work/counts.$((counted += 1))"
      echo "${capture##*/} on $gpu"
    else
      echo "left out: ${capture##*/} on $gpu: $(tail -1 "$work/log")"
    fi
  done
done
[ "$counted" != 0 ] || { echo "build_fast.sh: no chip simulates these captures" >&2; exit 1; }
"${bolt%/*}/merge-fdata" "$work"/counts.* >"$work/profile" 2>"$work/log" || { tail -5 "$work/log" >&2; exit 1; }
grep -q TextureUnit "$work/profile" || { echo "build_fast.sh: the boxes of the machine were not counted" >&2; exit 1; }

step "Lay out"
quietly "$bolt" "$folder/cutaway.linked" -data="$work/profile" -reorder-blocks=ext-tsp -reorder-functions=cdsort \
  -split-functions -split-all-cold -o "$folder/cutaway.laid_out"
rm -rf "$folder/cutaway.counting" "$work"/counts* "$work/out"

step "Compare"
for capture in "${!chips[@]}"; do
  echo "${capture##*/}"
  # shellcheck disable=SC2086
  bench/cycles.py --capture "$capture" --frame all --runs 1 ${chips[$capture]} "$folder/cutaway.linked" \
    "$folder/cutaway.laid_out"
done
mv "$folder/cutaway.laid_out" "$folder/cutaway"
echo "the fast command: $PWD/$folder/cutaway"
