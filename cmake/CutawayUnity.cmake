# Unity builds: files of a target are compiled together, in batches, so that headers are read and templates instantiated
# once for a batch. A build from nothing takes less than half of the time; a changed file takes longer, as its batch is
# compiled. ./check.sh chooses it where it builds from nothing. Names at file scope and in anonymous namespaces differ
# within a folder; files with options or definitions of their own stay alone.
option(CUTAWAY_UNITY "Compile files of a target together, in batches: quick from nothing, slower after an edit" OFF)
if(CUTAWAY_UNITY)
  add_compile_options(-Wno-shadow -Wshadow=local)  # a local name may be a global one of another file
endif()
set(CMAKE_UNITY_BUILD ${CUTAWAY_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
