# cmake -DSOURCE=DIR -DHEADER=FILE -P WriteCommit.cmake: writes the commit of the work tree DIR into a header, "" where
# it is none of git's. An equal header keeps its time, so that nothing is built anew.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=8 --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\n#define CUTAWAY_COMMIT \"@commit@\"\n" @ONLY)
