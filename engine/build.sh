#!/usr/bin/env bash
# Builds engine/dist: llama.cpp with our C interface and kernels, as WebAssembly.
#
#   npm run build:engine -- [--check] [--test] [--llama PATH] [--work FOLDER]
#
# --check   builds and compares with the files in engine/dist; changes nothing there.
# --test    builds and holds the kernels to ggml's reference; changes nothing in engine/dist.
# --llama   llama.cpp's source: a folder or a .tar.gz. Without it, the release archive is downloaded.
# --work    where the toolchain and objects go; engine/.build without it. A second build there takes seconds.
#
# Needs root, for a chroot of Debian sid with the Emscripten that is pinned below; `EMSCRIPTEN=here` uses the emcc that is
# on the path instead. Takes some ten minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")"

release=b11434
# Of the files that are compiled, whichever archive they come from: see `sum_of_sources`.
sources_sum=ef15e7e7629442bff0e9c83160042ebd13a868d68a8e18dd15f2de6b18707cbf
emscripten=6.0.5

check=false test=false source='' work=$PWD/.build
while [ $# -gt 0 ]; do
  case $1 in
    --check) check=true ;;
    --test) test=true ;;
    --llama) source=$(realpath "$2"); shift ;;
    --work) mkdir -p "$2"; work=$(realpath "$2"); shift ;;
    *) echo "Unknown option: $1" >&2; exit 2 ;;
  esac
  shift
done
root=$work/sid

# A minimal Debian sid, from the mirror that this machine uses.
install_toolchain() {
  [ ! -x "$root/usr/bin/emcc" ] || return 0
  local mirror
  mirror=$({ cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null || true; } |
    grep -E '^(URIs:|deb )' | grep -oE '(https?|file)://?[^ ]+' | sed -n 1p)
  if [ -z "$mirror" ]; then
    echo 'No Debian mirror is set in /etc/apt. Set one, or use EMSCRIPTEN=here.' >&2
    exit 1
  fi
  command -v debootstrap >/dev/null || apt-get install -y debootstrap
  debootstrap --variant=minbase --include=emscripten,make,ca-certificates sid "$root" "$mirror"
}

# The files of llama.cpp that the Makefile compiles or that these include.
list_sources() {
  (cd "$1" && find include ggml/include src ggml/src -maxdepth 1 -type f -name '*.[ch]*' &&
    find src/models ggml/src/ggml-cpu -maxdepth 1 -type f -name '*.[ch]*' && find ggml/src/ggml-cpu/arch/wasm ggml/src/ggml-cpu/{llamafile,amx,tiled} -type f -name '*.[ch]*') |
    LC_ALL=C sort
}
sum_of_sources() {
  list_sources "$1" | (cd "$1" && xargs sha256sum) | sha256sum | cut -d' ' -f1
}

# Unpacks llama.cpp, checks it and applies our changes.
prepare_source() {
  local unpacked=$work/unpacked tree=$work/llama.cpp
  rm -rf "$unpacked" "$tree"
  mkdir -p "$unpacked"
  if [ -z "$source" ]; then
    source=$work/$release.tar.gz
    [ -f "$source" ] || curl --fail --location --output "$source" "https://github.com/ggml-org/llama.cpp/archive/refs/tags/$release.tar.gz"
  fi
  local from=$source
  if [ -f "$source" ]; then
    tar xzf "$source" -C "$unpacked"
    from=$(dirname "$(dirname "$(find "$unpacked" -path '*/include/llama.h' -not -path '*/spm-headers/*' | head -1)")")
  fi
  local sum
  sum=$(sum_of_sources "$from")
  if [ "$sum" != "$sources_sum" ]; then
    echo "This is not llama.cpp $release: the sum of its sources is $sum." >&2
    exit 1
  fi
  mkdir -p "$tree"
  (cd "$from" && list_sources . | tar cf - -T -) | tar xf - -C "$tree"
  # CMake would write these two.
  printf '#define GGML_VERSION "%s"\n#define GGML_COMMIT "%s"\n' "$release" "$release" > "$tree/ggml/src/ggml-version.h"
  printf '#define LLAMA_VERSION "%s"\n#define LLAMA_COMMIT "%s"\n' "$release" "$release" > "$tree/src/llama-version.h"
  local patch
  for patch in patches/*.patch; do
    [ ! -f "$patch" ] || (cd "$tree" && patch -p1 --quiet) < "$patch"
  done
  [ ! -d kernels ] || cp kernels/* "$tree/ggml/src/ggml-cpu/arch/wasm/"
  drop_architectures "$tree/src/llama-model.cpp"
}

# Takes the architectures that are not listed out of the switch that creates models, so that the linker drops them.
drop_architectures() {
  local kept
  kept=$(sed 's/#.*//' architectures.txt | tr ' ' '\n' | grep . | tr '-' '_' | paste -sd '|')
  awk -v kept="^($kept)$" '
    /case LLM_ARCH_[A-Z0-9_]+:$/ { held = held $0 "\n"; next }
    held != "" && match($0, /return new llama_model_[a-z0-9_]+\(params\)/) {
      name = substr($0, RSTART + 23, RLENGTH - 23 - 8)
      if (name ~ kept) printf "%s%s\n", held, $0
      held = ""; next
    }
    { printf "%s%s\n", held, $0; held = "" }' "$1" > "$1.new"
  mv "$1.new" "$1"
}

compile() {
  rm -rf "$work/recipe"
  mkdir -p "$work/recipe"
  cp -r Makefile architectures.txt src test "$work/recipe/"
  local target=all
  if $test; then target=test; fi
  if [ "${EMSCRIPTEN:-}" = here ]; then
    make -C "$work/recipe" -j"$(nproc)" LLAMA="$work/llama.cpp" OUT="$work/out" "$target"
    return
  fi
  mkdir -p "$root/work"
  mountpoint -q "$root/work" || mount --bind "$work" "$root/work"
  mountpoint -q "$root/proc" || mount --bind /proc "$root/proc"
  local found
  found=$(chroot "$root" emcc --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1)
  [ "$found" = "$emscripten" ] || echo "Emscripten is $found, not $emscripten: the result will differ from the files here." >&2
  chroot "$root" env EM_CACHE=/work/cache make -C /work/recipe -j"$(nproc)" LLAMA=/work/llama.cpp OUT=/work/out "$target"
}

[ "${EMSCRIPTEN:-}" = here ] || install_toolchain
prepare_source
compile
if $test; then exit; fi
mkdir -p "$work/dist"
cp "$work"/out/llama-{threads,relaxed,plain}.{js,wasm} "$work/dist/"
(cd "$work/dist" && sha256sum -- *.js *.wasm > SHA256SUMS)
if $check; then
  diff "$work/dist/SHA256SUMS" dist/SHA256SUMS && echo 'engine/dist is what these sources give.'
else
  mkdir -p dist
  cp "$work"/dist/* dist/
  ls -l dist
fi
