#include "app/completion.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>
#include <sstream>

#include "base/error.h"
#include "experiment/outcome.h"
#include "machine/config.h"
#include "probe/fidelity.h"
#include "probe/outcome.h"

namespace cutaway::app {
namespace {

class Completer {
 public:
  Completer(const CLI::App& app, const std::vector<std::string>& words)
      : app_(app), before_(words.begin(), words.end() - 1), typed_(words.back()) {}

  std::string text() {
    // A program follows --.
    if (std::find(before_.begin(), before_.end(), "--") != before_.end()) return "";
    if (before_.empty()) subcommands();
    else
      for (const CLI::App* sub : app_.get_subcommands(nullptr))
        if (sub->get_name() == before_[0]) of_subcommand(*sub);
    return text_;
  }

 private:
  // `kept` is the part of the typed word before the completed part.
  void offer(const std::string& word, std::string_view meaning, const std::string& kept = "") {
    const std::string whole = kept + word;
    if (!whole.starts_with(typed_)) return;
    text_ += meaning.empty() ? whole + "\n" : fmt::format("{}\t{}\n", whole, meaning);
  }

  void subcommands() {
    for (const CLI::App* sub : app_.get_subcommands(nullptr))
      if (!sub->get_group().empty()) offer(sub->get_name(), sub->get_description());
    option_names(app_);
  }

  void option_names(const CLI::App& app) {
    if (!typed_.starts_with("-")) return;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) offer("--" + name, option->get_description());
      for (const std::string& name : option->get_snames()) offer("-" + name, option->get_description());
    }
  }

  void of_subcommand(const CLI::App& sub) {
    const std::string& last = before_.back();
    const size_t equals = typed_.find('=');
    const CLI::Option* separate = named(sub, last);
    const CLI::Option* joined = equals == typed_.npos ? nullptr : named(sub, typed_.substr(0, equals));
    if (separate && separate->get_items_expected_max() > 0) values(*separate, "");
    else if (joined) values(*joined, typed_.substr(0, equals + 1));
    else if (typed_.starts_with("-")) option_names(sub);
    else
      for (const CLI::Option* option : sub.get_options())
        if (option->get_positional()) values(*option, "");
  }

  static const CLI::Option* named(const CLI::App& sub, const std::string& name) {
    return name.starts_with("-") ? sub.get_option_no_throw(name) : nullptr;
  }

  // Completes an option's value, whose type name describes it: "all|none", "NAME|FILE.toml",
  // "UNIT.PARAM=VALUE".
  void values(const CLI::Option& option, const std::string& kept) {
    const std::string declared = option.get_type_name();
    std::istringstream type(declared.empty() ? option.get_name() : declared.substr(0, declared.find(':')));
    for (std::string one; std::getline(type, one, '|');) {
      const bool word = std::all_of(one.begin(), one.end(), [](char c) { return std::islower(c) != 0; });
      if (word) offer(one, "", kept);
      else if (one == "NAME") presets(kept);
      else if (one == "EXPERIMENT" || one == "FIGURE") subjects(kept);
      else if (one.starts_with("UNIT.PARAM=VALUE")) parameters(kept);
    }
  }

  void presets(const std::string& kept) {
    for (const machine::PresetInfo& preset : machine::presets()) offer(preset.name, preset.description, kept);
  }

  // Completes names of experiments and figures for `experiment`, `probe` and `fidelity`, each once.
  void subjects(const std::string& kept) {
    offer("list", "what there is", kept);
    if (before_[0] == "experiment")
      for (const auto& path : experiment::experiment_files()) offer(path.stem().string(), "", kept);
    else offer("all", "every one", kept);
    std::set<std::string> names;
    if (before_[0] == "probe")
      for (const probe::Case& each : probe::cases()) names.insert(each.name);
    if (before_[0] == "fidelity")
      for (const probe::Figure* each : probe::select_figures({}, "")) names.insert(each->of);
    for (const std::string& name : names) offer(name, "", kept);
  }

  // The machine selected by the words before: --gpu, or the operand of `gpus`.
  std::string chosen_gpu() const {
    for (size_t i = 0; i < before_.size(); i++) {
      if (before_[i] == "--gpu" && i + 1 < before_.size()) return before_[i + 1];
      if (before_[i].starts_with("--gpu=")) return before_[i].substr(before_[i].find('=') + 1);
      if (i > 0 && before_[0] == "gpus" && !before_[i].starts_with("-") && before_[i - 1] != "--set")
        return before_[i];
    }
    return "attila";
  }

  // Completes "UNIT.PARAM=", or after it the values of a parameter with few values.
  void parameters(std::string kept) {
    // Completes the last of several changes separated by ;.
    if (const size_t end = typed_.rfind(';'); end != typed_.npos) kept = typed_.substr(0, end + 1);
    machine::Config config;
    try {
      machine::load_config(config, chosen_gpu());
    } catch (const UserError&) { return; }
    FieldTable table;
    config.list(table);
    for (const auto& field : table.fields()) {
      const std::string assignment = field->path + "=",
                        typed = typed_.substr(std::min(kept.size(), typed_.size()));
      if (!typed.starts_with(assignment)) {
        offer(assignment, fmt::format("{} {}: {}", field->value(), field->unit, field->meaning), kept);
        continue;
      }
      const ValueRange range = field->values();
      if (range.kind == ValueRange::Kind::kChoice)
        for (const std::string& name : range.names) offer(assignment + name, "", kept);
      else offer(assignment + field->value(), fmt::format("{} {}", field->range(), field->unit), kept);
    }
  }

  const CLI::App& app_;
  const std::vector<std::string> before_;
  const std::string typed_;
  std::string text_;
};

}  // namespace

std::string completions(const CLI::App& app, const std::vector<std::string>& words) {
  return words.empty() ? "" : Completer(app, words).text();
}

}  // namespace cutaway::app
