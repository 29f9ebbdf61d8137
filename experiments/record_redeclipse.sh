#!/usr/bin/env bash
# Records frames of a match of Debian's Red Eclipse for the experiments: 1024x768, GLSL, the engine's low detail with
# its effects off, as games of 2004 were: each surface is drawn once, with light from maps that have a direction,
# players have skinned meshes. Through Mesa's Zink on Cutaway's driver, on Xvfb.
#
# usage: experiments/record_redeclipse.sh [-o FILE.cutaway] [--frames A..B] [--map NAME] [--gpu NAME|FILE.toml]
#                                         [--host-times] [--cutaway COMMAND] [--install]
#
#   -o FILE       the capture; default: out/redeclipse.cutaway
#   --frames A..B of the game; default 400..660. The first 200 to 350 are the loading screen, by the host's speed
#   --map NAME    one of /usr/share/games/redeclipse/data/maps; default: castle
#   --gpu NAME    the machine that it is captured for; default: attila
#   --host-times  with the program's CPU time, for a host in time
#   --cutaway     the command; default: build/release/cutaway, or the one that is installed
#   --install     installs Debian's redeclipse and xvfb where they are missing (870 MB)
#
# Bots play a deathmatch, and the game's own camera follows them. It moves by the clock, and bots decide by random
# numbers, so that two recordings of a frame differ.
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
NAME=record_redeclipse.sh
. "$here/recording.sh"
output=out/redeclipse.cutaway frames=400..660 map=castle
own_option() {
  [ "$1" = --map ] || return 1
  [ $# -gt 1 ] || fail "$1 needs a value (see --help)"
  map=$2 taken=2
}
take_arguments "$@"

game=/usr/games/redeclipse
install_where_missing $game redeclipse xvfb
[ -x $game ] || fail "Red Eclipse is not installed: apt-get install redeclipse, or give --install"
[ -f "/usr/share/games/redeclipse/data/maps/$map.mpz" ] || fail "--map: Red Eclipse has no map '$map'"
make_home
mkdir "$home/.redeclipse"
settings="shaderdetail 1; zpass 0; glare 0; shadowmap 0; depthfx 0; bumpmodels 0; envmapmodels 0; maxdynlights 0"
echo "$settings; sv_botbalance 4" >"$home/.redeclipse/autoexec.cfg"

record $game "-h$home/.redeclipse" -df0 -dw1024 -dh768 "-xname viewer; $settings; deathmatch $map; sleep 1000 [spectate 1]"
