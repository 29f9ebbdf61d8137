# Real programs end to end, stage by stage: see real_programs.py.
set(work ${CMAKE_BINARY_DIR}/real_programs)
function(real_program_test stage)
  cmake_parse_arguments(ARG "" "SETUP" "NEEDS" ${ARGN})
  add_test(NAME real_programs.${stage}
           COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/real_programs.py
                   --cutaway $<TARGET_FILE:cutaway> --work ${work} ${stage})
  set_tests_properties(real_programs.${stage} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
  if(ARG_SETUP)
    set_tests_properties(real_programs.${stage} PROPERTIES FIXTURES_SETUP ${ARG_SETUP})
  endif()
  if(ARG_NEEDS)
    set_tests_properties(real_programs.${stage} PROPERTIES FIXTURES_REQUIRED "${ARG_NEEDS}")
  endif()
endfunction()

foreach(name gears cube)
  real_program_test(capture-${name} SETUP capture-${name})
  real_program_test(reference-${name} SETUP reference-${name})
  real_program_test(compare-${name} NEEDS "capture-${name};reference-${name}")
  real_program_test(verify-${name} NEEDS capture-${name})
endforeach()
real_program_test(seeds-cube NEEDS capture-cube)
cutaway_whole(real_programs.seeds-cube /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/real_programs.py
              --cutaway $<TARGET_FILE:cutaway> --work ${work} seeds-cube)
set_tests_properties(real_programs.seeds-cube.whole PROPERTIES FIXTURES_REQUIRED capture-cube)
