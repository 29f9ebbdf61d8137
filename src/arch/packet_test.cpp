#include "arch/packet.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <sstream>
#include <string>

namespace cutaway::arch {
namespace {

// Splits "18, 19" and "DRAW_INDIRECT, DRAW_INDEXED_INDIRECT": one row may have several.
std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream in(list);
  for (std::string part; std::getline(in >> std::ws, part, ',');) parts.push_back(part);
  return parts;
}

// The rows of the table "Packets" of docs/hardware.md.
std::map<uint32_t, std::string> packets_of_the_manual() {
  std::ifstream file(CUTAWAY_DOCS "/hardware.md");
  const std::regex row(R"(\| ([0-9, ]+) \| ([A-Z_, ]+) \|.*)");
  std::map<uint32_t, std::string> packets;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) inside = line == "### Packets";
    std::smatch match;
    if (!inside || !std::regex_match(line, match, row)) continue;
    const auto numbers = split(match[1]), names = split(match[2]);
    EXPECT_EQ(numbers.size(), names.size()) << line;
    for (size_t i = 0; i < numbers.size() && i < names.size(); i++)
      packets[static_cast<uint32_t>(std::stoul(numbers[i]))] = names[i];
  }
  return packets;
}

TEST(Packet, TheManualHasEveryOpcodeAndNoOthers) {
  std::map<uint32_t, std::string> packets;
  for (uint32_t n = 0; n < 256; n++)
    if (is_header(packet_header(static_cast<Opcode>(n), 0))) packets[n] = opcode_name(static_cast<Opcode>(n));
  EXPECT_EQ(packets, packets_of_the_manual());
}

}  // namespace
}  // namespace cutaway::arch
