#include "scenes/illegal_scenes.h"

namespace cutaway::scenes {

Scene nested_calls(uint32_t depth) {
  Builder b("calls");
  arch::CommandWriter list;
  list.packet(arch::Opcode::kNop);
  for (uint32_t i = 0; i < depth; i++) {
    const arch::Address address = b.upload(list.commands());
    const auto words = static_cast<uint32_t>(list.commands().size());
    list.take();
    list.packet(arch::Opcode::kCall, arch::CallPacket{address, words});
  }
  b.commands = list;
  b.submit(false);
  return b.take();
}

void damage(Scene& scene, std::mt19937& random) {
  std::vector<Event*> writes;
  for (Event& event : scene.events)
    if (event.data.size() >= 4) writes.push_back(&event);
  for (uint32_t n = 0; n < 1 + random() % 6; n++) {
    Event& event = random() % 2 ? *writes.back() : *writes[random() % writes.size()];
    const size_t at = random() % (event.data.size() / 4) * 4;
    uint32_t word;
    std::memcpy(&word, &event.data[at], 4);
    word = random() % 2 ? word ^ 1u << random() % 32 : static_cast<uint32_t>(random());
    std::memcpy(&event.data[at], &word, 4);
  }
}

}  // namespace cutaway::scenes
