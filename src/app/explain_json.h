#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "report/explanation.h"
#include "report/pixel_history.h"
#include "report/roll_up.h"

namespace cutaway::app {

// The JSON that `cutaway explain --json` writes (docs/command.md).
nlohmann::ordered_json json_of(const report::Explanation& explanation);
// frame: that of the whole frame, whose time the rows share.
nlohmann::ordered_json roll_up_json(const std::vector<report::RollUpRow>& rows,
                                    const nlohmann::ordered_json& frame);
nlohmann::ordered_json history_json(const report::PixelHistory& history);

}  // namespace cutaway::app
