# Precompiled headers, of GCC: one for libraries and one for tests, which differ in flags, and one for tests of the
# machine. A third of a cold build is the reading of these headers. Sources include what they use nevertheless;
# CUTAWAY_PRECOMPILE=OFF holds them to it.
option(CUTAWAY_PRECOMPILE "Precompile headers of the standard library, fmt and googletest (GCC)" ON)
set(precompiled <algorithm> <array> <bit> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory> <optional>
                <set> <span> <string> <string_view> <utility> <vector> <fmt/format.h>)

# The first target of a kind compiles the header, the others reuse it.
function(reuse_precompiled kind target)
  if(NOT CUTAWAY_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  # A header that does not fit a target is read as text. -fpch-preprocess lets ccache see precompiled headers.
  target_compile_options(${target} PRIVATE -Wno-error=invalid-pch -fpch-preprocess)
  get_property(owner GLOBAL PROPERTY cutaway_precompiled_${kind})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY cutaway_precompiled_${kind} ${target})
  endif()
endfunction()

# cutaway_precompile(LIBRARY)
function(cutaway_precompile target)
  reuse_precompiled(library ${target} ${precompiled})
endfunction()

# cutaway_test_target(TARGET [KIND header...]): a program of tests, or an object library of them with a KIND of its own
# (its code is position-independent otherwise than a program's), whose precompiled header has these headers too. Tests
# are compiled more often than they run.
function(cutaway_test_target target)
  set(kind test)
  if(ARGN)
    list(POP_FRONT ARGN kind)
  endif()
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)  # false at -O1
  endif()
  reuse_precompiled(${kind} ${target} ${precompiled} <gtest/gtest.h> ${ARGN})
endfunction()
