# The Debian packages that Cutaway needs, by purpose, and how to install those that are missing.
# Sourced by demo.sh, check.sh and tools/build_fast.sh.

packages_build="g++ cmake ninja-build pkg-config python3 ccache mold
  libvulkan-dev spirv-tools spirv-headers libcli11-dev libtomlplusplus-dev libfmt-dev libspdlog-dev
  nlohmann-json3-dev libzstd-dev libxxhash-dev libsqlite3-dev libpng-dev zlib1g-dev libxcb1-dev libxcb-shm0-dev
  libcpp-httplib-dev libgtest-dev libgmock-dev libbenchmark-dev glslang-dev glslang-tools
  libprotobuf-dev protobuf-compiler libxbyak-dev libeigen3-dev"
packages_run="vulkan-tools mesa-utils libgl1-mesa-dri libglx-mesa0 libegl1 libegl-mesa0 libvulkan1 xvfb xauth
  apitrace gfxreconstruct"
packages_test="mesa-vulkan-drivers vulkan-validationlayers clang-format python3-pil binutils
  piglit waffle-utils slurm-wlm munge chromium fonts-dejavu-core man-db fish glmark2-x11"
packages_fast="clang-19 lld-19 llvm-19 libclang-rt-19-dev glmark2-x11"  # of tools/build_fast.sh
# For the page of reports; a Node.js from elsewhere brings its own npm, beside which Debian's cannot be installed.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then packages_test="$packages_test nodejs npm"; fi

# install_packages NAME... : installs what is missing, as root or with sudo; quiet when nothing is.
install_packages() {
  missing=""
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
  done
  [ -z "$missing" ] && return 0
  if [ "$(id -u)" = 0 ]; then as_root=""; else as_root="sudo"; fi
  echo "Installing Debian packages:$missing"
  log=$(mktemp)
  $as_root apt-get update -qq || echo "apt-get update failed; going on with the lists at hand" >&2
  # shellcheck disable=SC2086
  if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >"$log" 2>&1; then
    tail -20 "$log" >&2
    rm -f "$log"
    echo "could not install:$missing" >&2
    return 1
  fi
  rm -f "$log"
}
