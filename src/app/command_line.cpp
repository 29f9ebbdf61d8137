#include "app/command_line.h"

#include <algorithm>
#include <sstream>

#include "app/command_parser.h"
#include "app/completion.h"
#include "app/terminal.h"
#include "base/error.h"
#include "launch/replayer.h"

namespace cutaway::app {
namespace {

// The parser's error in one line, with advice.
std::string line_of(const CLI::ParseError& error, const std::string& command, bool takes_program) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  if (takes_program && dynamic_cast<const CLI::ExtrasError*>(&error))
    return text + "; put the program and its arguments after --";
  return text + fmt::format("; see `cutaway{} --help`", command.empty() ? "" : " " + command);
}

// Inserts a port after each --live without one; a following word is then a file.
std::vector<std::string> with_live_ports(std::vector<std::string> words) {
  const auto is_number = [](const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
  };
  for (size_t i = 0; i < words.size(); i++)
    if (words[i] == "--live" && (i + 1 == words.size() || !is_number(words[i + 1]))) words[i] = "--live=0";
  return words;
}

// Replaces a recording by the program that replays it.
void take_recording(CommandArguments& arguments) {
  const std::string& recording = arguments.recording;
  if (recording.empty()) return;
  if (!launch::is_recording(recording) || !arguments.program.empty())
    user_error("{}: put the program and its arguments after --; only a recording (.trace, .gfxr) needs none",
               recording);
  arguments.program = {recording};
}

}  // namespace

int command_line(int argc, char** argv) {
  CommandParser parser;
  // A shell's completion request: `cutaway complete WORDS...`, with arbitrary words.
  if (argc > 1 && std::string(argv[1]) == "complete") {
    tell_exactly(completions(parser.app, {argv + 2, argv + argc}));
    return kOk;
  }
  // Arguments after -- belong to the program.
  const auto end = argv + argc,
             dashes = std::find_if(argv, end, [](const char*a) { return std::string(a) == "--"; });
  if (dashes != end) parser.arguments.program.assign(dashes + 1, end);
  const bool takes_program = argc > 1 && (std::string(argv[1]) == "run" || std::string(argv[1]) == "capture");
  const std::string command = dashes - argv > 1 && argv[1][0] != '-' ? argv[1] : "";
  if (!command.empty()) parser.check_command(command);
  try {
    const std::vector<std::string> words = with_live_ports({argv, dashes});
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    parser.app.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::Success& wanted) {
    std::ostringstream text;
    const int code = parser.app.exit(wanted, text, text);  // --help, --version
    tell_lines(text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    // Without -- an argument may be the program's.
    const bool ours = !takes_program || dashes != end;
    if (ours && dynamic_cast<const CLI::ExtrasError*>(&error)) parser.check_extras(command);
    user_error("{}", line_of(error, command, takes_program));
  }

  const TimelineArguments& timeline = parser.arguments.timeline;
  const bool window = timeline.cycles || timeline.draw;
  if (command == "simulate" && window && timeline.file.empty())
    user_error("--timeline-cycles and --timeline-draw need --timeline FILE");
  if (command == "simulate" && !window && !timeline.file.empty())
    user_error("--timeline needs --timeline-cycles A..B or --timeline-draw N");
  if (timeline.cycles && timeline.draw) user_error("--timeline-cycles and --timeline-draw: give one of them");
  take_recording(parser.arguments);
  if (takes_program && parser.arguments.program.empty())
    user_error("no program given; put it after --, as in `cutaway {} ... -- glxgears`", argv[1]);
  if (!takes_program && dashes != end) user_error("cutaway {} takes no program after --", argv[1]);
  return parser.chosen(parser.arguments);
}

}  // namespace cutaway::app
