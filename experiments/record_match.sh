#!/usr/bin/env bash
# Records frames of an OpenArena match for the experiments: 1024x768, 8x anisotropic filtering, trilinear mipmaps,
# full detail; OpenGL through Mesa's Zink on Cutaway's driver, on Xvfb.
#
# usage: experiments/record_match.sh [-o FILE.cutaway] [--frames A..B] [--long] [--compressed] [--lit] [--video]
#                                    [--gpu NAME|FILE.toml] [--host-times] [--cutaway COMMAND] [--install]
#
#   -o FILE       the capture; default: out/match.cutaway
#   --frames A..B of the match; default 130..133. It has 153, the first 30 of which are the loading screen
#   --long        a longer match; --frames 31..1030 are a thousand frames of it, 776 MB with --compressed.
#                 Recorded with --gl-thread (docs/command.md), except with --host-times
#   --compressed  the driver compresses textures (S3TC), as games of 2004 had them
#   --lit         the engine's OpenGL 2 renderer: GLSL programs, light by fragment
#   --video       the game also writes a video, for which it reads each picture back, from about frame 100 on
#   --gpu NAME    the machine that it is captured for; default: attila
#   --host-times  with the program's CPU time, for a host in time
#   --cutaway     the command; default: build/release/cutaway, or the one that is installed
#   --install     installs Debian's openarena and xvfb where they are missing (470 MB)
#
# The match is match.dm_71, a demo beside this script: 8 bots in the map oa_dm1, watched through the eyes of one,
# recorded with OpenArena 0.8.8. match-long.dm_71 is another one of the same kind. Played as a time demo each frame
# shows the same moment every time. Sparks, smoke and the like are thrown by the game's own random numbers, so that
# two recordings of a frame differ by up to 1 % of their cycles.
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
NAME=record_match.sh
. "$here/recording.sh"
output=out/match.cutaway frames=130..133 demo=match compressed=0 renderer=opengl1 video=
own_option() {
  case "$1" in
    --long) demo=match-long gl_thread=--gl-thread ;;
    --compressed) compressed=1 ;;
    --lit) renderer=opengl2 ;;
    --video) video=1 ;;
    *) return 1 ;;
  esac
}
take_arguments "$@"

engine=/usr/lib/ioquake3/ioquake3
install_where_missing $engine openarena xvfb
if [ ! -x $engine ] || [ ! -d /usr/lib/openarena/baseoa ]; then
  fail "OpenArena is not installed: apt-get install openarena, or give --install"
fi
make_home
mkdir -p "$home/.openarena/baseoa/demos"
cp "$here/$demo.dm_71" "$home/.openarena/baseoa/demos/"
[ -z "$video" ] || printf 'wait 60\nvideo match\n' >"$home/.openarena/baseoa/video.cfg"
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
set cl_aviFrameRate 20
set cl_aviMotionJpeg 0
set nextdemo quit
END

# What Debian's `openarena` sets, less its questions to servers.
record $engine +set com_basegame baseoa +set fs_basepath /usr/lib/openarena +set com_homepath .openarena \
  +set com_legacyprotocol 71 +set com_protocol 71 +set ttycon 0 +demo $demo ${video:+"+exec" "video.cfg"}
echo "anisotropic filtering: $(grep -o 'GL_EXT_texture_filter_anisotropic (max: [0-9]*)' "$home/log" | head -1), 8 asked for"
