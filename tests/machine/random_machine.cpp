#include "random_machine.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.h"

namespace cutaway::random_machine {
namespace {

using Kind = ValueRange::Kind;

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  uint64_t below(uint64_t values) { return random_() % values; }
  double fraction() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 random_;
};

// Bounds for legal machines that would take too much memory or time for a test. By path, or by name in every
// unit; the first match counts.
struct Bound {
  std::string_view parameter;
  double least, greatest;
  double step = 1;  // of the numbers that are drawn
};
constexpr Bound kBounds[] = {
    // One slow clock stretches the whole frame: a domain at 1 MHz beside others at 10 GHz.
    {"mhz", 100, 1600},
    {"core_mhz", 100, 1600},
    {"memory_mhz", 100, 1600},
    // A bus so slow that only it is to be seen.
    {"bus.latency", 1, 500},
    {"bus.memory_latency", 0, 500},
    {"bus.requests", 4, 256},
    // Pages that come in so slowly that only they are to be seen.
    {"translation.l2_latency", 1, 200},
    // A host so slow that only it is to be seen.
    {"host.cpu", 0, 100},
    // A screen so slow that only its retraces are to be seen.
    {"dac.refresh_hz", 0, 1e6, 1e4},
    // Doubles of 64 passes on one lane at 100 MHz take 8,192 core cycles for an instruction of 32 threads.
    {"double_passes", 0, 8},
    {"scalar_passes", 1, 8},
    {"reciprocal_passes", 1, 8},
    // An interpolant of 16 passes a component on one lane at 100 MHz takes 20,480 core cycles for a group
    // of 32.
    {"interpolation_passes", 0, 2},
    // 16 slices of 65536 lines hold 512 MB, which every machine would fill first.
    {"texture_cache.cache_lines", 4, 4096},
    {"storage_cache.cache_lines", 4, 4096},
};

const Bound* bound_of(const Field& field) {
  const auto found = std::find_if(std::begin(kBounds), std::end(kBounds), [&](const Bound& bound) {
    return bound.parameter == field.path || bound.parameter == field.name;
  });
  return found == std::end(kBounds) ? nullptr : found;
}

// Small values are where queues stall: half of the numbers are near the least. Of the others one half are
// powers of 2, which multiples and sizes ask for, and one half are spread evenly over orders of magnitude.
double draw_number(Dice& dice, const ValueRange& values) {
  const uint64_t how = dice.below(4);
  if (how < 2) return std::min(values.greatest, values.least + static_cast<double>(dice.below(4)));
  const double span = std::log2((values.greatest + 1) / (values.least + 1));
  const double any = (values.least + 1) * std::exp2(dice.fraction() * span) - 1;
  const double number = how == 2 ? std::exp2(std::round(std::log2(any + 1))) : std::round(any);
  return std::clamp(number, values.least, values.greatest);
}

double draw_scaled(Dice& dice, const Field& field, ValueRange values) {
  const Bound* bound = bound_of(field);
  const double step = bound ? bound->step : 1;
  values.least /= step, values.greatest /= step;
  return step * draw_number(dice, values);
}

std::string draw_list(Dice& dice, const ValueRange& values) {
  std::string text;
  for (uint64_t length = dice.below(8); length > 0; length--)
    text += fmt::format("{}{}", text.empty() ? "" : ",", draw_number(dice, values));
  return text.empty() ? values.names[0] : text;
}

// Few of many, since a stage is one class's; the two of patches go together.
std::string draw_set(Dice& dice, const ValueRange& values) {
  const uint64_t one_in = values.names.size() > 3 ? 3 : 2;
  std::string text;
  bool drawn = false;
  for (const std::string& name : values.names) {
    if (name != "tess-evaluation") drawn = dice.below(one_in) == 0;
    if (drawn) text += (text.empty() ? "" : ",") + name;
  }
  return text.empty() ? "none" : text;
}

std::string draw_value(Dice& dice, const Field& field) {
  const ValueRange values = drawn_from(field);
  switch (values.kind) {
    case Kind::kWhole:
    case Kind::kReal:
      return fmt::format("{}", draw_scaled(dice, field, values));
    case Kind::kChoice:
      return values.names[dice.below(values.names.size())];
    case Kind::kList:
      return draw_list(dice, values);
    case Kind::kSet:
      return draw_set(dice, values);
  }
  return "";
}

bool is_word(char c) { return c == '_' || c == '.' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// The parameters that a refusal names.
std::vector<std::string> named(const FieldTable& fields, std::string_view refusal) {
  std::vector<std::string> paths;
  for (size_t begin = 0; begin < refusal.size();) {
    size_t end = begin;
    while (end < refusal.size() && is_word(refusal[end])) end++;
    const std::string_view word = refusal.substr(begin, end - begin);
    for (const auto& field : fields.fields())
      if (field->path == word) paths.push_back(field->path);
    begin = std::max(end, begin + 1);
  }
  return paths;
}

// Draws parameters that the refusals of rules name until there are none.
unsigned repair(Dice& dice, machine::Config& config, FieldTable& fields) {
  constexpr unsigned kMost = 10000;
  for (unsigned redrawn = 0; redrawn < kMost; redrawn++) {
    std::vector<std::string> paths;
    try {
      machine::check_rules(config);
      return redrawn;
    } catch (const UserError& error) {
      paths = named(fields, error.what());
      CUTAWAY_CHECK(!paths.empty(), "names no parameter: {}", error.what());
    }
    const std::string& path = paths[dice.below(paths.size())];
    fields.set("redrawn", path, draw_value(dice, fields.find("", path)));
  }
  CUTAWAY_CHECK(false, "{} drawn {} times: no legal machine", config.name, kMost);
}

}  // namespace

bool is_drawn(const Field& field) {
  return !field.path.starts_with("formats.") && !field.path.starts_with("images.") &&
         !field.path.starts_with("programs.");
}

ValueRange drawn_from(const Field& field) {
  ValueRange values = field.values();
  if (const Bound* bound = bound_of(field)) {
    values.least = std::max(values.least, bound->least);
    values.greatest = std::min(values.greatest, bound->greatest);
  }
  return values;
}

Drawn draw(uint64_t seed) {
  Dice dice(seed);
  Drawn drawn;
  machine::Config& config = drawn.config;
  config.name = fmt::format("random {}", seed);
  for (const char* name : {"second", "third"})
    if (dice.below(2)) config.shaders.emplace_back().name = name;
  FieldTable fields;
  config.list(fields);
  for (const auto& field : fields.fields())
    if (is_drawn(*field)) fields.set("drawn", field->path, draw_value(dice, *field));
  fields.validate();
  drawn.redrawn = repair(dice, config, fields);
  return drawn;
}

Drawn draw_around(const std::string& preset, uint64_t seed) {
  constexpr uint64_t kOneIn = 8;
  Dice dice(seed);
  Drawn drawn;
  machine::Config& config = drawn.config;
  machine::load_config(config, preset);
  config.name = fmt::format("random {} around {}", seed, preset);
  FieldTable fields;
  config.list(fields);
  for (const auto& field : fields.fields())
    if (is_drawn(*field) && dice.below(kOneIn) == 0)
      fields.set("drawn", field->path, draw_value(dice, *field));
  fields.validate();
  drawn.redrawn = repair(dice, config, fields);
  return drawn;
}

std::string toml_of(const machine::Config& config) {
  machine::Config listed = config;
  FieldTable fields;
  listed.list(fields);
  std::string text, unit;
  for (const auto& field : fields.fields()) {
    if (std::string owner = field->path.substr(0, field->path.rfind('.')); owner != unit) {
      unit = std::move(owner);
      text += fmt::format("[{}]\n", unit);
    }
    const Kind kind = field->values().kind;
    const std::string value = field->value();
    const bool bare = kind == Kind::kWhole || kind == Kind::kReal || value == "true" || value == "false";
    text += bare ? fmt::format("{} = {}\n", field->name, value)
                 : fmt::format("{} = \"{}\"\n", field->name, value);
  }
  return text;
}

}  // namespace cutaway::random_machine
