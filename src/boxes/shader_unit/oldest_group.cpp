#include "boxes/shader_unit/oldest_group.h"

namespace cutaway::boxes {

const GroupSchedulers::Member<OldestGroup> kOldestGroup("oldest");

}  // namespace cutaway::boxes
