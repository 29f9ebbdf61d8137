#!/usr/bin/env bash
# Records frames of the title of Debian's Neverball for the experiments: 1024x768, OpenGL 1 with fixed-function lights
# and a stencil reflection; through Mesa's Zink on Cutaway's driver, on Xvfb.
#
# usage: experiments/record_neverball.sh [-o FILE.cutaway] [--frames A..B] [--gpu NAME|FILE.toml]
#                                        [--host-times] [--cutaway COMMAND] [--install]
#
#   -o FILE       the capture; default: out/neverball.cutaway
#   --frames A..B of the title, whose camera turns about a level; default 20..160. It moves by the clock, so that two
#                 recordings of a frame differ
#   --gpu NAME    the machine that it is captured for; default: attila
#   --host-times  with the program's CPU time, for a host in time
#   --cutaway     the command; default: build/release/cutaway, or the one that is installed
#   --install     installs Debian's neverball and xvfb where they are missing (60 MB)
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
NAME=record_neverball.sh
. "$here/recording.sh"
output=out/neverball.cutaway frames=20..160
own_option() { false; }
take_arguments "$@"

game=/usr/games/neverball
install_where_missing $game neverball xvfb
[ -x $game ] || fail "Neverball is not installed: apt-get install neverball, or give --install"
make_home
mkdir -p "$home/.neverball"
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

record $game
