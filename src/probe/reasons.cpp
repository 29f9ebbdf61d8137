#include "probe/reasons.h"

namespace cutaway::probe {
namespace {

void add_geforce6800(std::vector<Reason>& to) {
  const auto add = [&](const char* of, const char* why) { to.push_back({"geforce6800", of, why}); };
  add("R1-depth",
      "ours equals the vendor's figure; the reviewer measured less, and calls it unexplained. If "
      "hierarchical Z does not accept the depths and they do not fit into the caches, ours is slower as "
      "well, since memory turns around between reads and writes ([closed-forms.md](closed-forms.md)).");
  add("R2-textures-window",
      "a pixel reads 4 bytes and writes 4. The 82.8 bytes that memory moves in a cycle are therefore 10.4 "
      "pixels at most, and 11 at the 400 MHz of the vendor's figure; about 12 is impossible with 32 bits "
      "each. The channels spend 12 % of their cycles on turns between reads and writes, on rows and on "
      "refreshes. In 20 % nothing waits, for instance in the upload of the texture.");
}

void add_lines_and_squares(std::vector<Reason>& to) {
  const auto add = [&](const char* of, const char* why) { to.push_back({"g80", of, why}); };
  const char* edges =
      "ours pays for the quads on the edges of triangles, and for the warps that a full sub-tile closes. "
      "This grows with the length of the edges, and the chip's figures are the same for squares from 64 to "
      "8. The authors give them as about 25 %, and 25 % more if shifted.";
  for (const char* of : {"E2.1-quads-64", "E2.1-strips-64", "E2.1-shifted-64", "E2.1-shifted-32"})
    add(of, edges);
  for (const char* of : {"E2.1-quads-4", "E2.1-strips-4", "E2.1-shifted-4"})
    add(of,
        "the quads of squares of 4 fill one and a half times as many warps as those of the triangle, or twice "
        "if shifted, and ours takes as long. No way to pack them explains the chip: a triangle of 3 quads would "
        "take more warps than one of 10, while lines of 2 and 4 quads and triangles of 1 and 10 are packed "
        "without loss ([probe.md](probe.md)).");
  add("E3.2-stacks",
      "stacked lines of 16, 8 and 4 pixels cost the chip 18 % more than lines in rows, and ours the same. They "
      "have 16 lines in a visit of a tile in common. A limit of 17 or 18 primitives for a cluster gives 2.36 "
      "for those of 4 alone, and makes points and squares of 8 dearer than they were.");
  add("E4.3",
      "with this distance a frame has few points: the figures contain some 13 ms of each frame that are not "
      "shading. With these, all distances are within 10 %.");
}

void add_g80(std::vector<Reason>& to) {
  const auto add = [&](const char* of, const char* why) { to.push_back({"g80", of, why}); };
  add("R1-depth",
      "a compressed tile of 64 depths is a transaction of 64 bytes: 160 pixels would take 160 bytes a "
      "cycle, and memory moves 128. The channels carry data in 61 % of their cycles and wait for rows in "
      "25 %.");
  add("R2-textures",
      "ours reaches the peak with textures that its caches hold. The measured chip is a GeForce 9, and the "
      "textures are not stated. With textures of 64 x 64 texels, which come from the second level, ours "
      "reads a tenth less.");
  add("R2-halves-4",
      "a cache holds half as many texels of 8 bytes, so its lines come from the second level more often. "
      "With caches that hold all of them it is 23.5. The filter takes them at the full rate.");
  add_lines_and_squares(to);
}

void add_d3d11(std::vector<Reason>& to) {
  const auto add = [&](const char* of, const char* why) { to.push_back({"d3d11", of, why}); };
  add("R1-depth-samples",
      "ROPs test 158 samples a cycle of the whole frame, which also resolves them by a draw. Where depths come "
      "from memory, its channels carry data in 64 % of their cycles.");
  add("R3-geometry",
      "groups and strips of geometry programs hold it up 72 % of the time. No document gives figures of "
      "these: all their parameters are chosen.");
  add("R8-memory",
      "channels wait for rows. The policy that opens them, and the number of transactions among which a "
      "channel looks for row hits (`memory.queue`), are chosen.");
}

}  // namespace

const std::vector<Reason>& reasons() {
  static const std::vector<Reason> made = [] {
    std::vector<Reason> all;
    add_geforce6800(all);
    add_g80(all);
    add_d3d11(all);
    return all;
  }();
  return made;
}

}  // namespace cutaway::probe
