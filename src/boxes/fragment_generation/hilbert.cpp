#include "boxes/fragment_generation/hilbert.h"

namespace cutaway::boxes {

const ScanOrders::Member<Hilbert> kHilbert("hilbert");

}  // namespace cutaway::boxes
