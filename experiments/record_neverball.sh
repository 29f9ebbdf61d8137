#!/usr/bin/env bash
# Records frames of the title of Debian's Neverball for the experiments: 1024x768, OpenGL 1 with fixed-function lights
# and a stencil reflection; through Mesa's Zink on Cutaway's driver, on Xvfb.
#
# usage: experiments/record_neverball.sh [-o FILE.cutaway] [--frames A..B] [--cutaway COMMAND] [--install]
#
#   -o FILE       the capture; default: out/neverball.cutaway
#   --frames A..B of the title, whose camera turns about a level; default 20..160. It moves by the clock, so that two
#                 recordings of a frame differ
#   --cutaway     the command; default: build/release/cutaway, or the one that is installed
#   --install     installs Debian's neverball and xvfb where they are missing (60 MB)
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
root=$(dirname "$here")
output=out/neverball.cutaway frames=20..160 install=
cutaway=$root/build/release/cutaway
[ -x "$cutaway" ] || cutaway=cutaway
fail() { echo "record_neverball.sh: $1" >&2; exit 2; }

while [ $# -gt 0 ]; do
  case "$1" in
    -o|--output|--frames|--cutaway) [ $# -gt 1 ] || fail "$1 needs a value (see --help)" ;;
  esac
  case "$1" in
    -o|--output) output=$2; shift 2 ;;
    --frames) frames=$2; shift 2 ;;
    --cutaway) cutaway=$2; shift 2 ;;
    --install) install=1; shift ;;
    -h|--help) sed -n '2,/^set -eu/{/^set/!s/^# \{0,1\}//p}' "$0"; exit 0 ;;
    *) fail "unknown argument '$1' (see --help)" ;;
  esac
done

game=/usr/games/neverball
if [ -n "$install" ] && { [ ! -x $game ] || ! command -v Xvfb >/dev/null; }; then
  sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get install -y --no-install-recommends neverball xvfb
fi
[ -x $game ] || fail "Neverball is not installed: apt-get install neverball, or give --install"
command -v "$cutaway" >/dev/null || fail "$cutaway: no such command; build it, or give --cutaway"

# A home folder of its own: nothing of the user's settings is read or changed.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home/.neverball" "$(dirname "$output")"
cat >"$home/.neverball/neverballrc" <<END
fullscreen 0
width 1024
height 768
multisample 0
vsync 0
textures 1
reflection 1
background 1
shadow 1
sound_volume 0
music_volume 0
END

status=0
env -u DISPLAY HOME="$home" SDL_AUDIODRIVER=dummy "$cutaway" capture --gpu attila -o "$output" --frames "$frames" -- $game \
  >"$home/log" 2>&1 || status=$?
if [ $status != 0 ]; then
  tail -20 "$home/log" >&2
  fail "the recording failed (exit status $status); above are its last lines"
fi
grep '\.cutaway: ' "$home/log" | tail -1
