#include "report/page/run_data.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/regular_file.h"
#include "base/text.h"
#include "report/diagram_layout.h"
#include "report/page/base64.h"
#include "report/page/columns.h"
#include "report/page/frame_data.h"
#include "report/page/shared_data.h"
#include "report/run_file.h"
#include "report/what_ifs.h"

namespace cutaway::report {
namespace {

namespace fs = std::filesystem;
using database::Database;
using nlohmann::json;

// Makes the data of one run.
class RunDataMaker {
 public:
  RunDataMaker(const fs::path& run, const Disassembler& disassemble, const KeepLegal& keep_legal)
      : run_(run),
        files_(files_of_run(run)),
        database_(files_.database, database::Access::kRead),
        reader_(files_.database),
        disassemble_(disassemble),
        keep_legal_(keep_legal) {}

  json read() {
    check_run(database_);
    json data = json::object();
    data["path"] = run_.string();
    data["meta"] = read_columns(database_, {{"name", Cell::kText}, {"value", Cell::kText}}, "FROM meta");
    data["parameters"] = read_columns(
        database_, {{"path", Cell::kText}, {"value", Cell::kText}, {"source", Cell::kText}, {"differs"}},
        "FROM parameter ORDER BY path");
    data["counters"] = counters();
    data["wires"] = wires();
    name_units();
    data["units"] = parts_.units;
    data["diagram"] = diagram();
    data["programs"] = programs();
    data["shared"] = shared();
    data["frames"] = json::array();
    const json frames = read_columns(database_, {{"frame"}}, "FROM frame ORDER BY frame");
    if (frames["frame"].empty()) damaged(database_, "it holds no frame");
    for (const json& frame : frames["frame"]) {
      json figures =
          frame_data(database_, reader_, frame.get<int64_t>(), counted_, parts_, disassemble_, keep_legal_);
      figures["what_ifs"] = tries(figures, frame.get<uint64_t>());
      figures["picture"] = picture(fmt::format("{:04}.png", frame.get<int64_t>()));
      data["frames"].push_back(std::move(figures));
    }
    return data;
  }

 private:
  json counters() {
    json table = read_columns(database_,
                              {{"counter"},
                               {"unit", Cell::kText},
                               {"name", Cell::kText},
                               {"counts", Cell::kText},
                               {"meaning", Cell::kText}},
                              "FROM counter ORDER BY counter");
    check_numbered(database_, table["counter"], "counters");
    counted_ = {table["unit"].get<std::vector<std::string>>(), table["name"].get<std::vector<std::string>>()};
    table.erase("counter");
    return table;
  }

  json wires() {
    json table = read_columns(database_,
                              {{"wire"},
                               {"sender", Cell::kText},
                               {"receiver", Cell::kText},
                               {"message", Cell::kText},
                               {"latency"},
                               {"bandwidth"},
                               {"slots"}},
                              "FROM wire ORDER BY wire");
    check_numbered(database_, table["wire"], "wires");
    for (size_t i = 0; i < table["wire"].size(); i++)
      parts_.wires.push_back({table["sender"][i], table["receiver"][i], table["message"][i],
                              table["latency"][i].get<unsigned>(), table["bandwidth"][i].get<unsigned>(),
                              table["slots"][i].get<unsigned>()});
    table.erase("wire");
    return table;
  }

  // Units are everything with an account of cycles, in the order in which wires name them, so that the first
  // is where work enters.
  void name_units() {
    std::vector<std::string> units;
    for (size_t i = 0; i < counted_.units.size(); i++)
      if (counted_.names[i] == "busy") units.push_back(counted_.units[i]);
    const auto take = [&](const std::string& unit) {
      const auto found = std::find(units.begin(), units.end(), unit);
      if (found == units.end()) return;
      parts_.units.push_back(unit);
      units.erase(found);
    };
    for (const MachineParts::Wire& wire : parts_.wires)
      take(unit_and_port(wire.from).first), take(unit_and_port(wire.to).first);
    parts_.units.insert(parts_.units.end(), units.begin(), units.end());
  }

  json diagram() {
    Diagram diagram;
    try {
      diagram = diagram_of(parts_);
    } catch (const UserError& error) { damaged(database_, error.what()); }
    if (diagram.units.empty()) damaged(database_, "it names no unit");
    const DiagramLayout layout = layout_of(diagram);
    const auto rectangle = [](const DiagramLayout::Rectangle& area) {
      return json{area.x, area.y, area.width, area.height};
    };
    json boxes = json::array(), lines = json::array(), texts = json::array();
    for (const DiagramLayout::Box& box : layout.boxes) {
      const Diagram::Unit& unit = diagram.units[box.unit];
      json units = json::array();
      for (const std::string& path : parts_.units) {
        const std::string kind = kind_of_unit(path);
        if (kind.substr(kind.find('.') + 1) == unit.name) units.push_back(path);
      }
      boxes.push_back({{"text", unit_text(unit)},
                       {"units", units},
                       {"memory", unit.memory},
                       {"area", rectangle(box.area)},
                       {"depth", box.depth}});
    }
    for (const DiagramLayout::Line& line : layout.lines) {
      json points = json::array();
      for (const DiagramLayout::Point& point : line.points) points.push_back({point.x, point.y});
      lines.push_back({{"kind", static_cast<int>(line.kind)}, {"points", points}});
    }
    for (const DiagramLayout::Text& text : layout.texts)
      texts.push_back({{"at", {text.at.x, text.at.y}},
                       {"anchor", static_cast<int>(text.anchor)},
                       {"kind", static_cast<int>(text.kind)},
                       {"text", text.text}});
    return {{"boxes", boxes}, {"lines", lines}, {"texts", texts}, {"area", rectangle(layout.area)}};
  }

  json programs() {
    json table = read_columns(database_,
                              {{"address", Cell::kText, false, program_name("address").c_str()},
                               {"instructions", Cell::kText},
                               {"source_of", Cell::kText, true},
                               {"name", Cell::kText, true}},
                              "FROM program ORDER BY address, context");
    table["spirv"] = json::array();
    auto rows = database_.prepare("SELECT spirv FROM program ORDER BY address, context");
    while (rows.step()) table["spirv"].push_back(spirv_text(rows));
    return table;
  }

  // Lines of SPIR-V; null if there is none or it cannot be read.
  json spirv_text(const database::Statement& row) const {
    const auto bytes = row.blob(0);
    if (row.type(0) != database::Type::kBlob || bytes.size() % sizeof(uint32_t) != 0) return nullptr;
    std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
    if (words.empty()) return nullptr;
    std::memcpy(words.data(), bytes.data(), bytes.size());
    try {
      return disassemble_(words);
    } catch (const UserError&) { return nullptr; }
  }

  // Commands that measure what a faster machine would gain.
  json tries(const json& figures, uint64_t frame) {
    json commands = json::array();
    for (const json& one : figures["holdups"]["tries"])
      commands.push_back(what_if_command(run_.string(), frame, one.get<std::string>()));
    return commands;
  }

  // The programs that shared the GPU, each with its last picture. Null: there is one program.
  json shared() {
    json data = shared_data(reader_);
    if (data.is_null()) return data;
    for (size_t i = 0; i < data["programs"].size(); i++) {
      json& program = data["programs"][i];
      program["picture"] = program["picture_frame"] = nullptr;
      const json& frames = program["frames"];
      for (size_t k = frames.size(); k-- > 0 && program["picture"].is_null();) {
        if (frames[k]["left_out"].get<bool>()) continue;
        program["picture"] = picture(fmt::format("{}-{:04}.png", i + 1, frames[k]["frame"].get<uint64_t>()));
        if (!program["picture"].is_null()) program["picture_frame"] = frames[k]["frame"];
      }
    }
    return data;
  }

  // A displayed frame as a PNG in base64, if its file is beside the database.
  json picture(const std::string& name) const {
    constexpr uint64_t kMostBytes = 256 << 20;
    const std::string bytes = read_whole(files_.pictures / name, kMostBytes);
    if (!bytes.starts_with("\x89PNG\r\n\x1a\n")) return nullptr;
    return base64(bytes);
  }

  fs::path run_;
  RunFiles files_;
  Database database_;
  RunReader reader_;
  const Disassembler& disassemble_;
  const KeepLegal& keep_legal_;
  CountedColumns counted_;
  MachineParts parts_;
};

}  // namespace

json run_data(const fs::path& run, const Disassembler& disassemble, const KeepLegal& keep_legal) {
  return RunDataMaker(run, disassemble, keep_legal).read();
}

}  // namespace cutaway::report
