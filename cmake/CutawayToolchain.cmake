# Flags that every target shares. Floating point is part of the machine's contract: no contraction,
# no reassociation, no -march; code for other instruction sets sits in files of its own.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Werror -ffp-contract=off -fno-math-errno
                    -fvisibility=hidden -fvisibility-inlines-hidden
                    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
# GCC 12 reports false positives of these inside its own standard library at -O2 and above, and notes
# that the calling convention of vector types differs between instruction sets (ours are internal).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds
                      -Wno-restrict -Wno-psabi -Wno-missing-field-initializers)
  if(CMAKE_INTERPROCEDURAL_OPTIMIZATION)  # which compiles when it links
    add_link_options(-Wno-psabi)
  endif()
endif()
# For folders that fill in Vulkan's structures, of which they name the first members.
macro(cutaway_uses_vulkan_structures)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    add_compile_options(-Wno-missing-field-initializers)
  endif()
endmacro()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
if(CUTAWAY_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(CUTAWAY_SANITIZE_THREADS)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()
if(CUTAWAY_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "CUTAWAY_FUZZ needs clang: -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(CUTAWAY_CCACHE ccache)
if(CUTAWAY_CCACHE)
  # Precompiled headers are cached too, and what was compiled with them.
  set(ccache env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
             ${CUTAWAY_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ccache})
  set(CMAKE_C_COMPILER_LAUNCHER ${ccache})
endif()
find_program(CUTAWAY_MOLD mold)
if(CUTAWAY_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
