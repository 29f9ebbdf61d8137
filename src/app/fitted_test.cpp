// What a parameter was fitted to, its preset and the figures of the chip say alike.
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "machine/config.h"
#include "probe/figures.h"

namespace cutaway::app {
namespace {

using Facts = std::map<std::string, std::set<std::string>>;  // by preset

TEST(Fitted, PresetsAndFiguresNameTheSameFacts) {
  Facts of_figures, of_presets;
  std::set<std::string> chips;
  for (const probe::Figure& figure : probe::figures()) {
    chips.insert(figure.gpu);
    if (figure.fitted) of_figures[figure.gpu].insert(figure.fact);
  }
  const std::string fitted = "fitted to ";
  for (const std::string& chip : chips) {
    machine::Config config;
    machine::load_config(config, chip);
    for (const auto& [path, statement] : config.statements)
      if (statement.source.starts_with(fitted))
        of_presets[chip].insert(statement.source.substr(fitted.size()));
  }
  EXPECT_EQ(of_presets, of_figures);
}

}  // namespace
}  // namespace cutaway::app
