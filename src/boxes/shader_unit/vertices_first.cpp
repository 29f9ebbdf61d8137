#include "boxes/shader_unit/vertices_first.h"

namespace cutaway::boxes {

const GroupSchedulers::Member<VerticesFirst> kVerticesFirst("vertices-first");

}  // namespace cutaway::boxes
