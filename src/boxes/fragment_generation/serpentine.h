#pragma once

#include "boxes/fragment_generation/scan_order.h"

namespace cutaway::boxes {

// Row by row of 8×8 tiles, to and fro (ATT-5).
class Serpentine final : public ScanOrder {
 public:
  void start(const TileRect& rect) override;
  bool next() override;

 private:
  TileRect rect_;
  int32_t step_ = 8;
};

}  // namespace cutaway::boxes
