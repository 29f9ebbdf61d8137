#!/usr/bin/env bash
# Records frames of an OpenArena match for the experiments: 1024x768, 8x anisotropic filtering, trilinear mipmaps,
# full detail; OpenGL through Mesa's Zink on Cutaway's driver, on Xvfb.
#
# usage: experiments/record_match.sh [-o FILE.cutaway] [--frames A..B] [--compressed] [--lit] [--cutaway COMMAND]
#                                    [--install]
#
#   -o FILE       the capture; default: out/match.cutaway
#   --frames A..B of the match; default 130..133. It has 153, the first 30 of which are the loading screen
#   --compressed  the driver compresses textures (S3TC), as games of 2004 had them
#   --lit         the engine's OpenGL 2 renderer: GLSL programs, light by fragment
#   --cutaway     the command; default: build/release/cutaway, or the one that is installed
#   --install     installs Debian's openarena and xvfb where they are missing (470 MB)
#
# The match is match.dm_71, a demo beside this script: 8 bots in the map oa_dm1, watched through the eyes of one,
# recorded with OpenArena 0.8.8. Played as a time demo each frame shows the same moment every time. Sparks, smoke and
# the like are thrown by the game's own random numbers, so that two recordings of a frame differ by up to 1 % of
# their cycles.
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
root=$(dirname "$here")
output=out/match.cutaway frames=130..133 install= compressed=0 renderer=opengl1
cutaway=$root/build/release/cutaway
[ -x "$cutaway" ] || cutaway=cutaway
fail() { echo "record_match.sh: $1" >&2; exit 2; }

while [ $# -gt 0 ]; do
  case "$1" in
    -o|--output|--frames|--cutaway) [ $# -gt 1 ] || fail "$1 needs a value (see --help)" ;;
  esac
  case "$1" in
    -o|--output) output=$2; shift 2 ;;
    --frames) frames=$2; shift 2 ;;
    --cutaway) cutaway=$2; shift 2 ;;
    --compressed) compressed=1; shift ;;
    --lit) renderer=opengl2; shift ;;
    --install) install=1; shift ;;
    -h|--help) sed -n '2,/^set -eu/{/^set/!s/^# \{0,1\}//p}' "$0"; exit 0 ;;
    *) fail "unknown argument '$1' (see --help)" ;;
  esac
done

engine=/usr/lib/ioquake3/ioquake3
if [ -n "$install" ] && { [ ! -x $engine ] || ! command -v Xvfb >/dev/null; }; then
  sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get install -y --no-install-recommends openarena xvfb
fi
if [ ! -x $engine ] || [ ! -d /usr/lib/openarena/baseoa ]; then
  fail "OpenArena is not installed: apt-get install openarena, or give --install"
fi
command -v "$cutaway" >/dev/null || fail "$cutaway: no such command; build it, or give --cutaway"

# A home folder of its own: nothing of the user's settings is read or changed.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home/.openarena/baseoa/demos" "$(dirname "$output")"
cp "$here/match.dm_71" "$home/.openarena/baseoa/demos/"
cat >"$home/.openarena/baseoa/autoexec.cfg" <<END
set cl_renderer $renderer
set r_fullscreen 0
set r_mode -1
set r_customwidth 1024
set r_customheight 768
set r_picmip 0
set r_texturebits 32
set r_textureMode GL_LINEAR_MIPMAP_LINEAR
set r_ext_texture_filter_anisotropic 1
set r_ext_max_anisotropy 8
set r_ext_compressed_textures $compressed
set r_lodbias 0
set r_swapInterval 0
set s_initsound 0
set com_maxfps 0
set com_introplayed 1
set cl_motd 0
set timedemo 1
set nextdemo quit
END

# What Debian's `openarena` sets, less its questions to servers.
status=0
env -u DISPLAY HOME="$home" SDL_AUDIODRIVER=dummy "$cutaway" capture --gpu attila -o "$output" --frames "$frames" -- $engine \
  +set com_basegame baseoa +set fs_basepath /usr/lib/openarena +set com_homepath .openarena \
  +set com_legacyprotocol 71 +set com_protocol 71 +set ttycon 0 +demo match >"$home/log" 2>&1 || status=$?
if [ $status != 0 ]; then
  grep -v '^GL_EXTENSIONS' "$home/log" | tail -20 >&2
  fail "the recording failed (exit status $status); above are its last lines"
fi
grep '\.cutaway: ' "$home/log" | tail -1
echo "anisotropic filtering: $(grep -o 'GL_EXT_texture_filter_anisotropic (max: [0-9]*)' "$home/log" | head -1), 8 asked for"
