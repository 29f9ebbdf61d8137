#include "app/manual.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/version.h"
#include "base/whole_file.h"

namespace cutaway::app {
namespace {

// Escapes text for roff: dashes become minus signs, and no line begins with a request.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool begins = escaped.empty() || escaped.back() == '\n';
    if (begins && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') escaped += "\\e";
    else if (c == '-') escaped += "\\-";
    else escaped += c;
  }
  return escaped;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// Makes a sentence: "says what" becomes "Says what."
std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.back() == '.' ? text : text + ".";
}

std::string header(const std::string& page) {
  return fmt::format(".\\\" Written by `cutaway manual`.\n.TH {} 1 \"\" \"cutaway {}\" \"Cutaway\"\n",
                     upper(roff(page)), version());
}

// The description of a subcommand and its usage: "runs it: run [OPTIONS] -- PROGRAM".
struct Description {
  std::string text, use;
};

Description description_of(const CLI::App& sub) {
  const std::string whole = sub.get_description();
  const size_t at = whole.find(fmt::format(": {} ", sub.get_name()));
  return at == whole.npos ? Description{whole, ""} : Description{whole.substr(0, at), whole.substr(at + 2)};
}

std::string synopsis(const CLI::App& sub) {
  std::string text = ".SH SYNOPSIS\n", operands;
  for (const CLI::Option* option : sub.get_options()) {
    if (!option->get_positional()) continue;
    const std::string more = option->get_items_expected_max() > 1 ? "..." : "";
    operands += option->get_required() ? fmt::format(" {}{}", option->get_name(), more)
                                       : fmt::format(" [{}{}]", option->get_name(), more);
  }
  if (const std::string use = description_of(sub).use; !use.empty())
    text += ".B cutaway " + roff(use) + "\n.br\n";
  return text + fmt::format(".B cutaway {} [OPTIONS]{}\n", roff(sub.get_name()), roff(operands));
}

// Splits "N:INT in [1 - 64]" into "N" and "1 to 64".
std::pair<std::string, std::string> type_and_range(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t colon = type.find(':'), in = type.find(" in ["), dash = type.find(" - ", in);
  std::string range;
  if (in != type.npos && dash != type.npos)
    range = fmt::format("{} to {}", type.substr(in + 5, dash - in - 5),
                        type.substr(dash + 3, type.size() - dash - 4));
  return {type.substr(0, colon), range};
}

std::string options(const CLI::App& app) {
  std::string text;
  for (const bool positional : {true, false})
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() != positional || option->get_group().empty()) continue;
      const auto [type, range] = type_and_range(*option);
      std::string meaning = option->get_description();
      if (!range.empty()) meaning += "; " + range;
      if (const std::string fallback = option->get_default_str(); !fallback.empty())
        meaning += "; default: " + fallback;
      const std::string names = positional ? option->get_name() : option->get_name(false, true);
      text += fmt::format(".TP\n.B {}{}{}\n{}.\n", roff(names), type.empty() ? "" : " ", roff(type),
                          roff(meaning));
    }
  return text.empty() ? "" : ".SH OPTIONS\n" + text;
}

// A footer block whose first line ends with a colon is printed unchanged as a section; other blocks are
// notes.
std::string footer(const CLI::App& app) {
  // The command's own page has the footer that subcommands inherit.
  if (const CLI::App* parent = app.get_parent(); parent && parent->get_footer() == app.get_footer())
    return "";
  std::istringstream lines(app.get_footer());
  std::vector<std::string> blocks(1);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) blocks.back() += line + "\n";
    else if (!blocks.back().empty()) blocks.emplace_back();
  }
  std::string sections, notes;
  for (const std::string& block : blocks) {
    const size_t end = block.find(":\n");
    if (end != block.npos && end < block.find('\n'))
      sections +=
          fmt::format(".SH {}\n.nf\n{}.fi\n", upper(roff(block.substr(0, end))), roff(block.substr(end + 2)));
    else if (!block.empty()) notes += ".PP\n" + roff(block);
  }
  return (notes.empty() ? "" : ".SH NOTES\n" + notes) + sections;
}

std::vector<const CLI::App*> listed_subcommands(const CLI::App& app) {
  std::vector<const CLI::App*> subs;
  for (const CLI::App* sub : app.get_subcommands(nullptr))
    if (!sub->get_group().empty()) subs.push_back(sub);
  return subs;
}

std::string main_page(const CLI::App& app) {
  const std::string about = app.get_description();
  const size_t line = about.find('\n');
  std::string text = header("cutaway") + ".SH NAME\ncutaway \\- " +
                     roff(about.substr(about.find(": ") + 2, line - about.find(": ") - 3)) + "\n";
  text += ".SH SYNOPSIS\n.B cutaway SUBCOMMAND\n[OPTIONS] ...\n.SH DESCRIPTION\n";
  text += roff(about.substr(about.find_first_not_of('\n', line))) + "\n.SH SUBCOMMANDS\n";
  for (const CLI::App* sub : listed_subcommands(app))
    text += fmt::format(".TP\n.BR cutaway\\-{} (1)\n{}\n", roff(sub->get_name()),
                        roff(sentence(description_of(*sub).text)));
  return text + options(app) + footer(app);
}

std::string page_of(const CLI::App& app, const CLI::App& sub) {
  const std::string page = "cutaway-" + sub.get_name();
  const std::string about = description_of(sub).text;
  std::string text = header(page) + fmt::format(".SH NAME\n{} \\- {}\n", roff(page), roff(about));
  text += synopsis(sub) + ".SH DESCRIPTION\n" + roff(sentence(about)) + "\n" + options(sub) + footer(sub);
  text += ".SH SEE ALSO\n.BR cutaway (1)";
  for (const CLI::App* other : listed_subcommands(app))
    if (other != &sub) text += fmt::format(",\n.BR cutaway\\-{} (1)", roff(other->get_name()));
  return text + "\n";
}

void write_page(const std::filesystem::path& path, const std::string& text) {
  WholeFile file(path);
  file.append(text);
  file.commit();
}

}  // namespace

void write_manual(const CLI::App& app, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_page(folder / "cutaway.1", main_page(app));
  for (const CLI::App* sub : listed_subcommands(app))
    write_page(folder / fmt::format("cutaway-{}.1", sub->get_name()), page_of(app, *sub));
}

}  // namespace cutaway::app
