#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

// The files of records: SHAPE/SCENE.txt below tests/machine/records, a line `name first second` for each
// figure that does not follow from others. The reader puts the whole record together again.
//  - A scene's base is its record on the first shape that runs it (`attila`, if that does). Records of other
//    shapes hold what differs from it; `name 0 0` is a figure that the base alone has.
//  - Every box is busy, waits or is idle in each cycle of its clock, so `BOX.idle` is left out where it is
//  what
//    the rest leaves of the clock that the box's name suggests.
namespace cutaway::records {

// By name, of the first and the second frame. What is 0 in both is left out.
using Figures = std::map<std::string, std::array<uint64_t, 2>>;

// The lines of a file, of the record `whole` beside its base (empty: none); and the record that lines stand
// for.
Figures differences(const Figures& whole, const Figures& base);
Figures whole_record(const Figures& lines, const Figures& base);

std::string text_of(const Figures& figures);
Figures figures_of(const std::string& text);

std::string path_of(const std::string& shape, const std::string& scene);
// The record of a scene on a shape; empty without a file.
Figures read(const std::string& shape, const std::string& scene);
// Writes a record, and those that hold differences from it, so that these stand for what they stood for.
void write(const std::string& shape, const std::string& scene, const Figures& figures);
// The text that write() would give the file.
std::string text_of_file(const std::string& shape, const std::string& scene, const Figures& figures);

}  // namespace cutaway::records
