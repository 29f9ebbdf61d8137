#pragma once

#include "base/field.h"

namespace cutaway::boxes {

struct HostSpec {
  double cpu = 0;
  unsigned frames_in_flight = 3;
  double interrupt_us = 0;

  bool present() const { return cpu > 0; }

  template <class V>
  static void fields(V&& v) {
    using S = HostSpec;
    v("cpu", &S::cpu, "", 0.0, 1000.0,
      "speed of the host's processor, as a multiple of that of the machine that recorded the capture; 0: the "
      "host takes no time");
    v("frames_in_flight", &S::frames_in_flight, "frames", 0u, 16u,
      "frames that may be under way when a present returns; 0: it waits for its own");
    v("interrupt_us", &S::interrupt_us, "us", 0.0, 1000.0,
      "time from the arrival of a fence until a program that waits for it goes on: the interrupt, and its way "
      "through the driver; 0: the program polls");
  }
};

}  // namespace cutaway::boxes
