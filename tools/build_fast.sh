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
# simulate COMMAND CAPTURE GPU FOLDER
simulate() {
  rm -rf "$4"
  "$1" simulate "$2" --gpu "$3" --jobs 1 --quiet --stats none --out "$4" >"$work/log" 2>&1
}

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
simulated=()
for capture in "${captures[@]}"; do
  for gpu in attila geforce6800 g80 d3d11; do
    if simulate "$folder/cutaway.counting" "$capture" "$gpu" "$work/out"; then
      simulated+=("$capture $gpu")
      mv "$work/counts" "$work/counts.${#simulated[@]}"
      echo "${capture##*/} on $gpu"
    else
      echo "left out: ${capture##*/} on $gpu: $(tail -1 "$work/log")"
    fi
  done
done
[ ${#simulated[@]} != 0 ] || { echo "build_fast.sh: no chip simulates these captures" >&2; exit 1; }
"${bolt%/*}/merge-fdata" "$work"/counts.* >"$work/profile" 2>"$work/log" || { tail -5 "$work/log" >&2; exit 1; }
grep -q TextureUnit "$work/profile" || { echo "build_fast.sh: the boxes of the machine were not counted" >&2; exit 1; }

step "Lay out"
quietly "$bolt" "$folder/cutaway.linked" -data="$work/profile" -reorder-blocks=ext-tsp -reorder-functions=cdsort \
  -split-functions -split-all-cold -o "$folder/cutaway.laid_out"
rm -f "$folder/cutaway.counting" "$work"/counts*

step "Compare"
for pair in "${simulated[@]}"; do
  for command in linked laid_out; do
    simulate "$folder/cutaway.$command" "${pair% *}" "${pair##* }" "$work/$command" || { tail -5 "$work/log" >&2; exit 1; }
  done
  python3 - "$pair" "$work/linked" "$work/laid_out" <<'END'
import json, pathlib, sys
pair, *folders = sys.argv[1:]
before, after = (json.loads((pathlib.Path(folder) / "summary.json").read_text()) for folder in folders)
figures = [[(frame["cycles"], frame["statistics_hash"], frame["memory_hash"]) for frame in run["frames"]]
           for run in (before, after)]
rates = [f"{run['host']['cycles_per_second']:,.0f}" for run in (before, after)]
print(f"{pair.split('/')[-1].replace(' ', ' on ')}: {rates[0]} cycles/s, laid out {rates[1]}")
sys.exit(None if figures[0] == figures[1] else "build_fast.sh: cycles, counters or memory differ")
END
done
mv "$folder/cutaway.laid_out" "$folder/cutaway"
echo "the fast command: $PWD/$folder/cutaway"
