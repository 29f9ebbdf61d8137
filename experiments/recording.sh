# What the scripts record_*.sh share; they read it. It is no command.
#
# Before: NAME, the script. `output` and `frames` hold its defaults. own_option takes an argument of the
# script's own, the first of those that it is given; with a value it sets `taken` to 2.

root=$(dirname "$here")
install= gpu=attila host_times= gl_thread=
cutaway=$root/build/release/cutaway
[ -x "$cutaway" ] || cutaway=cutaway
fail() { echo "$NAME: $1" >&2; exit 2; }

# Takes the script's arguments.
take_arguments() {
  while [ $# -gt 0 ]; do
    case "$1" in
      -o|--output|--frames|--gpu|--cutaway) [ $# -gt 1 ] || fail "$1 needs a value (see --help)" ;;
    esac
    case "$1" in
      -o|--output) output=$2; shift 2 ;;
      --frames) frames=$2; shift 2 ;;
      --gpu) gpu=$2; shift 2 ;;
      --host-times) host_times=--host-times; shift ;;
      --cutaway) cutaway=$2; shift 2 ;;
      --install) install=1; shift ;;
      -h|--help) sed -n '2,/^set -eu/{/^set/!s/^# \{0,1\}//p}' "$here/$NAME"; exit 0 ;;
      *) taken=1; own_option "$@" || fail "unknown argument '$1' (see --help)"; shift $taken ;;
    esac
  done
}

# Installs the packages of a game, if --install is given and the game or Xvfb is missing. $1: the game's program.
install_where_missing() {
  local game=$1 sudo=
  shift
  if [ -n "$install" ] && { [ ! -x "$game" ] || ! command -v Xvfb >/dev/null; }; then
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get install -y --no-install-recommends "$@"
  fi
}

# Makes a home folder of its own: nothing of the user's settings is read or changed.
make_home() {
  command -v "$cutaway" >/dev/null || fail "$cutaway: no such command; build it, or give --cutaway"
  home=$(mktemp -d)
  trap 'rm -rf "$home"' EXIT
  mkdir -p "$(dirname "$output")"
}

# Captures the program.
record() {
  local status=0
  [ -z "$host_times" ] || gl_thread=
  env -u DISPLAY HOME="$home" SDL_AUDIODRIVER=dummy "$cutaway" capture --gpu "$gpu" $host_times $gl_thread -o "$output" \
    --frames "$frames" -- "$@" >"$home/log" 2>&1 || status=$?
  if [ $status != 0 ]; then
    grep -v '^GL_EXTENSIONS' "$home/log" | tail -20 >&2
    fail "the recording failed (exit status $status); above are its last lines"
  fi
  grep '\.cutaway: ' "$home/log" | tail -1
}
