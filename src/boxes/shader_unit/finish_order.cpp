#include "boxes/shader_unit/finish_order.h"

#include "base/error.h"

namespace cutaway::boxes {

GroupOutput output_of(arch::Stage stage) {
  switch (stage) {
    case arch::Stage::kVertex:
      return GroupOutput::kVertices;
    case arch::Stage::kFragment:
      return GroupOutput::kQuads;
    case arch::Stage::kCompute:
      return GroupOutput::kWorkgroups;
    case arch::Stage::kGeometry:
      return GroupOutput::kEmitted;
    case arch::Stage::kTessControl:
      return GroupOutput::kPatches;
    case arch::Stage::kTessEvaluation:
      return GroupOutput::kPoints;
  }
  CUTAWAY_CHECK(false, "a group of stage {} in a shader unit", static_cast<uint32_t>(stage));
  return {};
}

}  // namespace cutaway::boxes
