#include "probe/reasons.h"

namespace cutaway::probe {
namespace {

void add_attila(std::vector<Reason>& to) {
  const auto add = [&](const char* of, const char* why) { to.push_back({"attila", of, why}); };
  add("R1-color",
      "a unit issues an instruction a cycle for four fragments, and END is one: a program that moves a "
      "constant takes two, so that two units shade four pixels a cycle. The ROPs could write eight.");
  const char* adds =
      "END, and the addition of what was read, take an issue as the texture instruction does: with 9 for 4 "
      "texels, or 17 for 8, two units read 3.6 or 3.8 a cycle at most, and at times wait for texels. Where "
      "nothing is added (`R2-chained`) "
      "they reach 7.5.";
  add("R2-textures", adds);
  const char* queue =
      "the 48 vertices between their index and primitive assembly (ATT-2) do not reach over the time that "
      "their attributes and programs take; with a longer queue a vertex passes in each cycle "
      "([closed-forms.md](closed-forms.md)).";
  add("R3-culled", queue);
  add("R3-vertices", queue);
}

void add_geforce6800(std::vector<Reason>& to) {
  const auto add = [&](const char* of, const char* why) { to.push_back({"geforce6800", of, why}); };
  add("R1-depth",
      "ours is what the vendor says; the reviewer measured less, and calls it unexplained. Nobody has "
      "explained it. Where depths neither are accepted by hierarchical Z nor fit into the caches, ours is "
      "slower as well, since memory turns around between reads and writes "
      "([closed-forms.md](closed-forms.md)).");
  add("R2-textures-window",
      "a pixel reads 4 bytes and writes 4, so that the 82.8 that memory moves in a cycle are 10.4 pixels at "
      "most, and at the 400 MHz of the vendor's figure 11: about 12 cannot be with 32 bits each. Of the "
      "channels' cycles 12 % go to turns between reads and writes, to rows and to refreshes, and in 20 % "
      "nothing waits, in the upload of the texture among others.");
}

void add_lines_and_squares(std::vector<Reason>& to) {
  const auto add = [&](const char* of, const char* why) { to.push_back({"g80", of, why}); };
  const char* diagonals =
      "ours pays for the quads on the diagonals of squares. The chip's figures are those of squares of 8 at "
      "every size, which ours meets there; nobody has explained what larger ones pay besides.";
  for (const char* of :
       {"E2.1-quads-64", "E2.1-strips-64", "E2.1-shifted-64", "E2.1-quads-32", "E2.1-strips-32",
        "E2.1-shifted-32", "E2.1-quads-16", "E2.1-strips-16", "E2.1-shifted-16"})
    add(of, diagonals);
  for (const char* of : {"E2.1-quads-4", "E2.1-strips-4", "E2.1-shifted-4"})
    add(of,
        "squares of 8 pixels cost both the same, and those of 4 the chip thrice what they cost ours: about "
        "what they would if each triangle took a warp more than its quads fill (5.5, and 6.5 shifted). "
        "Nobody has explained why it should.");
  add("E3.2-stacks",
      "lines one upon the other cost the chip up to 18 % more than lines in rows, and ours the same. Nobody "
      "has explained it.");
  for (const char* of : {"E3.1-lines-2", "E3.2-stacks-2"})
    add(of,
        "quads of four primitives in a warp make four times; what the chip takes besides nobody has "
        "explained.");
  add("E4.3",
      "how points fall on tiles and quads decides here; nobody has looked at the chip's figure for "
      "this distance more closely.");
}

void add_g80(std::vector<Reason>& to) {
  const auto add = [&](const char* of, const char* why) { to.push_back({"g80", of, why}); };
  add("R1-depth",
      "a tile of 64 depths that is compressed is a transaction of 64 bytes: 160 pixels would take 160 bytes "
      "a cycle, and memory moves 128. Of the channels' cycles 61 % carry data and 25 % wait for rows.");
  add("R2-textures",
      "ours reaches the peak with textures that its caches hold. What was measured is a GeForce 9, and with "
      "which textures is not told: with those of 64 x 64 texels, which come from the second level, ours "
      "reads a tenth less.");
  add("R2-halves-4",
      "texels of 8 bytes are half as many in a cache, whose lines come from the second level more often: "
      "with caches that hold all of them it is 23.5. The filter takes them at the full rate.");
  add("R5-blocks-4",
      "twice the instructions are issued. But with quarters of the window as blocks, against which it is "
      "held, multiprocessors rest for 10 % of the time, since the slow quarters do not fall on all alike.");
  add("R5-vertices-16",
      "groups of 16 take the side of their vertices alone, and issue as many instructions as with blocks of "
      "1,024; a single multiprocessor takes 1.07 times as long. But the 128 vertices of `streamer.queue` are "
      "8 groups before 12 multiprocessors: of these every other one loops, where in blocks of 1,024 all do.");
  add("R8-transfer",
      "sectors of 64 bytes are fetched as a whole, of which memory could move halves "
      "(`texture.fetch_bytes` 32): what reads whole sectors would ask twice for each then, and is slower.");
  add_lines_and_squares(to);
}

void add_d3d11(std::vector<Reason>& to) {
  const auto add = [&](const char* of, const char* why) { to.push_back({"d3d11", of, why}); };
  add("R1-depth",
      "rasterisers of 8 pixels a cycle are not modelled, a tile of 64 is the least. Ours is what 12 ROPs "
      "test, a quad each.");
  add("R1-depth-samples",
      "a ROP tests a quad of one sample a cycle, 48 samples in all. That the chip's test more where depths "
      "are compressed is not modelled.");
  const char* batches =
      "each front end takes a vertex a cycle, and 3 more for each batch of 32; the rest is the beginning and "
      "the end of a frame of few cycles ([closed-forms.md](closed-forms.md)).";
  add("R3-culled", batches);
  add("R3-drawn", "as those that look away; and color writes hold it up for a quarter of the time.");
  add("R3-geometry",
      "what holds it up is groups and strips of geometry programs, 72 % of the time, which no document has "
      "figures of: all parameters of theirs are chosen.");
  add("R8-memory",
      "channels wait for rows. How these are opened, and among how many transactions a channel looks for "
      "open ones (`memory.queue`), is chosen.");
}

}  // namespace

const std::vector<Reason>& reasons() {
  static const std::vector<Reason> made = [] {
    std::vector<Reason> all;
    add_attila(all);
    add_geforce6800(all);
    add_g80(all);
    add_d3d11(all);
    return all;
  }();
  return made;
}

}  // namespace cutaway::probe
