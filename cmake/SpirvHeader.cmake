# cmake -DSPIRV=FILE -DARRAY=NAME -DHEADER=FILE -P SpirvHeader.cmake: the words of a module as an array of C++.
file(READ ${SPIRV} bytes HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1,\n" words "${bytes}")
file(WRITE ${HEADER} "#pragma once\n#include <cstdint>\nconst uint32_t ${ARRAY}[] = {\n${words}};\n")
