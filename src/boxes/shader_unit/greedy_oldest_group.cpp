#include "boxes/shader_unit/greedy_oldest_group.h"

namespace cutaway::boxes {

const GroupSchedulers::Member<GreedyOldestGroup> kGreedyOldestGroup("greedy-oldest");

}  // namespace cutaway::boxes
