#include "boxes/memory_controller/simple_dram.h"

namespace cutaway::boxes {

const DramModels::Member<SimpleDram> kSimpleDram("simple");

}  // namespace cutaway::boxes
