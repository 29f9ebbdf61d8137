#include "boxes/memory_controller/oldest.h"

namespace cutaway::boxes {

const ChannelSchedulers::Member<Oldest> kOldest("oldest");

}  // namespace cutaway::boxes
