# Read by cpack. Without these it would make a package that states no libraries, and whose command does not start.
foreach(tool dpkg-shlibdeps file)
  find_program(found_${tool} ${tool})
  if(NOT found_${tool})
    message(FATAL_ERROR "${tool} is missing: apt install dpkg-dev file")
  endif()
endforeach()
