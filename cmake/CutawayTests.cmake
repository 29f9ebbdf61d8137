# How tests are named and labelled. Every test has one label:
#   quick  milliseconds to seconds, and needs no more than the programs of the target quick_tests
#   gate   all others of ./check.sh
#   slow   the whole of what the gate runs a sample of; ctest -C Whole -L slow
# Programs of googletest run as a whole or in shards: a process for each of 2,400 cases costs more than most cases.
# They print failures only.
add_custom_target(quick_tests)

# cutaway_gtest(TARGET [NAME name] [FILTER filter] [LABEL label] [SHARDS n]): the tests of a program that the filter
# chooses, as NAME or, in n parts, NAME.1 to NAME.n.
function(cutaway_gtest target)
  cmake_parse_arguments(ARG "" "NAME;FILTER;LABEL;SHARDS" "" ${ARGN})
  foreach(default "NAME=${target}" "FILTER=*" "LABEL=quick" "SHARDS=1")
    string(REGEX MATCH "^([A-Z]+)=(.*)$" _ "${default}")
    if("${ARG_${CMAKE_MATCH_1}}" STREQUAL "")
      set(ARG_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
  endforeach()
  foreach(shard RANGE 1 ${ARG_SHARDS})
    set(name ${ARG_NAME})
    if(ARG_SHARDS GREATER 1)
      string(APPEND name ".${shard}")
    endif()
    math(EXPR index "${shard} - 1")
    add_test(NAME ${name} COMMAND ${target} --gtest_brief=1 "--gtest_filter=${ARG_FILTER}")
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS ${ARG_LABEL}
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${index}")
  endforeach()
  if(ARG_LABEL STREQUAL "quick")
    add_dependencies(quick_tests ${target})
  endif()
endfunction()

# cutaway_sampled(NAME COMMAND...): a test that runs a sample, and NAME.whole, which is the command with --whole.
function(cutaway_sampled name)
  add_test(NAME ${name} COMMAND ${ARGN})
  cutaway_whole(${name} ${ARGN})
endfunction()
# cutaway_whole(NAME COMMAND...): NAME.whole alone.
function(cutaway_whole name)
  add_test(NAME ${name}.whole CONFIGURATIONS Whole COMMAND ${ARGN} --whole)
  set_tests_properties(${name}.whole PROPERTIES LABELS slow TIMEOUT 3600 SKIP_RETURN_CODE 77)
endfunction()

# cutaway_costs(NAME seconds ...): tests of this directory that ctest starts first, the longest before the others, so
# that no core is idle at the end. Tests without a cost follow by what they took before.
function(cutaway_costs)
  while(ARGN)
    list(POP_FRONT ARGN name seconds)
    set_tests_properties(${name} PROPERTIES COST ${seconds})
  endwhile()
endfunction()

# Labels the tests of a directory that have no label yet. Last line of a CMakeLists.txt with tests.
function(cutaway_label_tests label)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test ${tests})
    get_test_property(${test} LABELS labels)
    if(NOT labels)
      set_tests_properties(${test} PROPERTIES LABELS ${label})
    endif()
  endforeach()
endfunction()
