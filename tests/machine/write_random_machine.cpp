// write_random_machine SEED FILE: a random legal machine as a file for `cutaway simulate --gpu`, so that
// frames of real programs can be verified on it (tests/verify_matrix.py --gpu FILE). A machine with a host in
// time has one context, as a run of one program needs.
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>

#include "random_machine.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: write_random_machine SEED FILE\n");
    return 2;
  }
  using namespace cutaway;
  machine::Config config = random_machine::draw(std::strtoull(argv[1], nullptr, 10)).config;
  if (config.host.present()) config.command_processor.contexts = 1;
  std::ofstream file(argv[2]);
  file << random_machine::toml_of(config);
  file.close();
  if (!file) fmt::print(stderr, "write_random_machine: {} cannot be written\n", argv[2]);
  return file ? 0 : 1;
}
