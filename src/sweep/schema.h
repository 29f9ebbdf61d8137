#pragma once

#include <cstdint>
#include <string>

namespace cutaway::sweep {

constexpr int64_t kApplicationId = 0x43745377;  // PRAGMA application_id: "CtSw"

// SQL that creates the tables of an empty database.
std::string schema();
// PRAGMA user_version: changes with any word of the schema.
int64_t schema_version();

}  // namespace cutaway::sweep
