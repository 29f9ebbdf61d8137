#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "settings/node.h"

// Values of one kind. `name` is what errors call the value. All errors are UserErrors that begin with file
// and line.
namespace cutaway::settings {

// A text that is not empty, with its control characters written out.
std::string text_in(const Node& node, std::string_view name);
// A text of several lines as one line, without spaces at its ends.
std::string paragraph_in(const Node& node, std::string_view name);
// A list of texts, or one of them alone.
std::vector<std::string> texts_in(const Node& node, std::string_view name);
bool truth_in(const Node& node, std::string_view name);
uint64_t count_in(const Node& node, std::string_view name, uint64_t least);
// A finite number.
double number_in(const Node& node, std::string_view name);
// The elements of a list, which is not empty.
const std::vector<Node::Entry>& list_in(const Node& node, std::string_view name);
// The node, which is a table.
const Node& table_in(const Node& node, std::string_view name);
// The tables below [[name]].
std::vector<const Node*> tables_in(const Node& node, std::string_view name);

// A machine parameter's value as --set takes it: a number, a name, true, false, or "0,2" of a list of numbers
// or names; empty: none of these.
std::string parameter_text(const Node& node);
// The same. UserError: none of these.
std::string value_in(const Node& node, std::string_view name);
// The values of a parameter that varies: a list, or a range {from, to, step} or {from, to, factor}.
std::vector<std::string> values_in(const Node& node, std::string_view name);

}  // namespace cutaway::settings
