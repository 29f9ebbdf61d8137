#include "sweep/schema.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "sweep/figures.h"

namespace cutaway::sweep {
namespace {

// SQLite keeps the comments: `.schema` shows them.
constexpr const char* kTables = R"(
CREATE TABLE point (           -- a frame of a capture on a machine
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,   -- of capture, frame, warmup, verify, every parameter and the program
  number INTEGER UNIQUE,       -- its place in the sweep file's order, from 1; null: not in this sweep
  capture TEXT NOT NULL,       -- as the sweep file names it
  capture_hash TEXT NOT NULL,  -- of its bytes
  frame INTEGER NOT NULL,
  gpu TEXT NOT NULL,           -- the preset or file that the machine began with
  machine TEXT NOT NULL REFERENCES machine (hash),
  warmup INTEGER NOT NULL,     -- frames before it, which are not counted
  verify INTEGER NOT NULL,     -- 1: compared with the emulator
  program TEXT NOT NULL        -- hash of the program's file: figures of two builds may differ
);
CREATE TABLE machine (         -- one for all points with equal parameters
  hash TEXT PRIMARY KEY,
  parameters TEXT NOT NULL     -- "unit.name = value", a line each
) WITHOUT ROWID;
CREATE TABLE setting (         -- what the sweep file says of a point: [set] and [[vary]]
  point INTEGER NOT NULL REFERENCES point (id),
  path TEXT NOT NULL,          -- "memory.channels"
  value NUMERIC NOT NULL,
  PRIMARY KEY (point, path)
) WITHOUT ROWID;
CREATE TABLE attempt (         -- every time that a point was begun
  id INTEGER PRIMARY KEY,
  point INTEGER NOT NULL REFERENCES point (id),
  name TEXT NOT NULL UNIQUE,   -- host-process-nanoseconds
  engine TEXT NOT NULL,        -- "local" or "slurm"
  host TEXT NOT NULL,
  process INTEGER NOT NULL,
  began REAL,                  -- seconds since 1970
  ended REAL,                  -- seconds since 1970; null: nobody knows
  outcome TEXT NOT NULL,       -- "finished"; "failed": it cannot be run; "lost": the process ended before it;
                               -- "repeated": finished, but the point had its result: there is none such
  message TEXT NOT NULL,       -- why, of those not finished
  seconds REAL,                -- that the clocked machine took
  peak_memory INTEGER          -- bytes
);
CREATE TABLE counter (         -- what units count
  counter INTEGER PRIMARY KEY,
  unit TEXT NOT NULL,          -- "gpu.shader0"
  name TEXT NOT NULL,          -- "instructions"
  counts TEXT,                 -- what of: "quads", "cycles" (of the unit's clock)
  meaning TEXT,
  UNIQUE (unit, name)
);
CREATE TABLE result_counter (
  point INTEGER NOT NULL REFERENCES result (point),
  counter INTEGER NOT NULL REFERENCES counter (counter),
  value INTEGER NOT NULL,
  PRIMARY KEY (point, counter)
) WITHOUT ROWID;
CREATE TABLE account (         -- where the cycles of each unit went: cycles = busy + starved + blocked + idle
  point INTEGER NOT NULL REFERENCES result (point),
  unit TEXT NOT NULL,          -- "gpu.shader0"
  cycles INTEGER NOT NULL,     -- of the unit's own clock, as all that follow
  busy INTEGER NOT NULL,
  starved INTEGER NOT NULL,
  blocked INTEGER NOT NULL,
  idle INTEGER NOT NULL,
  PRIMARY KEY (point, unit)
) WITHOUT ROWID;
CREATE TABLE wait (            -- for whom a unit was starved or blocked
  point INTEGER NOT NULL REFERENCES result (point),
  unit TEXT NOT NULL,
  port TEXT NOT NULL,
  neighbour TEXT NOT NULL,
  kind TEXT NOT NULL,          -- "starved" or "blocked"
  cycles INTEGER NOT NULL,     -- of the unit's clock
  PRIMARY KEY (point, unit, port, neighbour, kind)
) WITHOUT ROWID;
CREATE TABLE client (          -- of the memory controller
  point INTEGER NOT NULL REFERENCES result (point),
  name TEXT NOT NULL,
  read INTEGER NOT NULL,       -- bytes
  written INTEGER NOT NULL,    -- bytes
  PRIMARY KEY (point, name)
) WITHOUT ROWID;
CREATE TABLE cause (           -- what held up the frame of a point whose run is kept; the shares sum to 1
  point INTEGER NOT NULL REFERENCES result (point),
  unit TEXT NOT NULL,          -- in the words of cutaway explain: "vertex shading"
  share REAL NOT NULL,         -- of the cycles
  PRIMARY KEY (point, unit)
) WITHOUT ROWID;
CREATE TABLE figure (name TEXT PRIMARY KEY, unit TEXT NOT NULL, meaning TEXT NOT NULL) WITHOUT ROWID;
)";

std::string result_table() {
  std::string text =
      "CREATE TABLE result (          -- of a point; the table figure tells what each column means\n"
      "  point INTEGER PRIMARY KEY REFERENCES point (id),\n";
  for (const Figure& figure : figures())
    text += fmt::format("  {} INTEGER NOT NULL,  -- {}\n", figure.name, figure.unit);
  return text +
         "  memory_hash TEXT NOT NULL,      -- of all GPU memory after the frame\n"
         "  statistics_hash TEXT NOT NULL   -- of all counters, accounts and wires\n"
         ");\n";
}

}  // namespace

std::string schema() { return kTables + result_table(); }

int64_t schema_version() {
  const std::string text = schema();
  return static_cast<int64_t>(hash_bytes(text.data(), text.size()) & 0x7fffffff);
}

}  // namespace cutaway::sweep
