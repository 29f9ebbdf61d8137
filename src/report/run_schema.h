#pragma once

// The schema of run.sqlite. docs/run-database.md explains it with examples. A change of a name or of a
// meaning must raise kRunSchema.
namespace cutaway::report {

constexpr int kRunSchema = 12;

constexpr const char* kRunTables = R"sql(
CREATE TABLE meta (             -- one row for each fact of the run
  name TEXT PRIMARY KEY,        -- schema, version, program_hash, gpu, base, gpu_argument, sets (JSON), capture
                                -- (an absolute path), program, warmup, verified, interval
  value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE parameter (        -- of the machine, all of them
  path TEXT PRIMARY KEY,        -- "streamer.queue"
  value TEXT NOT NULL,
  source TEXT NOT NULL,         -- a fact id, "choice", a file's line, or "--set"
  differs INTEGER NOT NULL      -- 1: from the preset
) WITHOUT ROWID;
CREATE TABLE counter (          -- columns of what is counted: counters and accounts
  counter INTEGER PRIMARY KEY,
  unit TEXT NOT NULL,           -- "gpu.shader0"
  name TEXT NOT NULL,           -- "instructions"; of accounts busy, idle, starved.PORT, blocked.PORT
  counts TEXT NOT NULL,         -- what of: "cycles" (of the unit's clock), "quads"
  meaning TEXT NOT NULL
);
CREATE TABLE wire (             -- from one unit to another
  wire INTEGER PRIMARY KEY,
  sender TEXT NOT NULL,         -- port: "gpu.clipper.primitives_out"
  receiver TEXT NOT NULL,       -- port
  message TEXT NOT NULL,        -- type
  latency INTEGER NOT NULL,     -- cycles of the receiver
  bandwidth INTEGER NOT NULL,   -- messages per cycle of the sender
  slots INTEGER NOT NULL        -- messages under way or waiting
);
CREATE TABLE frame (
  frame INTEGER PRIMARY KEY,    -- number in the capture. A run of several programs is frame 1. Each reset of
                                -- the GPU begins the next one
  cycles INTEGER NOT NULL,      -- of the core's clock, as all cycles where nothing else is said
  -- What they were for. Each counts once, for the first of these that was under way; they sum to cycles.
  draw_cycles INTEGER NOT NULL,
  copy_cycles INTEGER NOT NULL,     -- and fills and clears: uploads
  cache_cycles INTEGER NOT NULL,    -- flushes and invalidates
  display_cycles INTEGER NOT NULL,  -- waiting until the picture before had been scanned out
  command_cycles INTEGER NOT NULL,  -- none of them: packets were read, programs and constants loaded
  scan_out_beside INTEGER NOT NULL, -- of all of them: beside which the picture before was scanned out
  scan_out_after INTEGER NOT NULL,  -- after all of them: its own picture's scan-out, alone; 0: not waited for
  bytes_read INTEGER NOT NULL,  -- of memory
  bytes_written INTEGER NOT NULL,
  texture_footprint INTEGER NOT NULL,   -- bytes of lines that texture units asked their caches for, each once
  memory_hash TEXT NOT NULL,    -- of all GPU memory after it
  statistics_hash TEXT NOT NULL -- of all counters, accounts and wires
);
CREATE TABLE frame_counter (    -- what was counted in a frame; 0 has no row
  frame INTEGER NOT NULL, counter INTEGER NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY (frame, counter)
) WITHOUT ROWID;
CREATE TABLE frame_wire (       -- how full a wire was in a frame; one that carried nothing has no row
  frame INTEGER NOT NULL, wire INTEGER NOT NULL,
  messages INTEGER NOT NULL,    -- sent
  filling REAL NOT NULL,        -- mean number of messages under way or waiting, over all cycles of the receiver
  peak INTEGER NOT NULL,        -- the most slots that the sender found taken, its message included
  PRIMARY KEY (frame, wire)
) WITHOUT ROWID;
CREATE TABLE state (            -- a version of the state that draws use
  frame INTEGER NOT NULL, state INTEGER NOT NULL,
  width INTEGER NOT NULL, height INTEGER NOT NULL,  -- pixels, of the framebuffer
  samples INTEGER NOT NULL,     -- of a pixel
  topology TEXT NOT NULL,
  targets TEXT NOT NULL,        -- JSON: {"color": [surface...], "depth": surface or null}; "name": the program's
  textures TEXT NOT NULL,       -- JSON: [surface with stage and binding...] that its programs read
  buffers TEXT NOT NULL,        -- JSON: [buffer...]: "use" (indices, vertices, captured vertices, program),
                                -- address, bytes, "name": the program's
  settings TEXT NOT NULL,       -- JSON: tests, blending, culling
  vertex_program INTEGER NOT NULL,  -- program.address, as those below; 0: none
  tessellation_control_program INTEGER NOT NULL, tessellation_evaluation_program INTEGER NOT NULL,
  geometry_program INTEGER NOT NULL, fragment_program INTEGER NOT NULL, compute_program INTEGER NOT NULL,
  context INTEGER NOT NULL,     -- whose draws use it; 0: the only program
  PRIMARY KEY (frame, state)
) WITHOUT ROWID;
CREATE TABLE program (          -- shader programs of the draws
  address INTEGER NOT NULL,
  instructions TEXT NOT NULL,   -- disassembly
  spirv BLOB,                   -- words that it was made from; null: the driver's own program
  source_of TEXT,               -- by instruction: place in spirv, -1 for none; separated by spaces
  name TEXT,                    -- the program's name for its module or pipeline, or its source file; null: none
  context INTEGER NOT NULL,     -- in whose memory it is; 0: the only program's
  PRIMARY KEY (address, context)
);
CREATE TABLE work (             -- what packets had the machine do, in the order in which it began
  frame INTEGER NOT NULL, work INTEGER NOT NULL,
  kind TEXT NOT NULL,           -- draw, copy, control (caches), present, rest (the end of a submission),
                                -- scan-out (of the picture before the frame)
  packet TEXT NOT NULL,         -- "DRAW_INDEXED"
  submission INTEGER NOT NULL,
  draw INTEGER,                 -- of a draw: counts from 1 in its submission
  of_driver INTEGER NOT NULL,   -- 1: a draw of the driver's own: a clear, blit or resolve
  label TEXT,                   -- the program's debug labels around it, the outermost first: "frame / shadow pass"
  pass INTEGER NOT NULL,        -- pass.pass
  state INTEGER,                -- of a draw: state.state
  vertices INTEGER, instances INTEGER,  -- of a draw, as the packet says
  began INTEGER NOT NULL,       -- cycle of the frame in which it was sent off
  ended INTEGER NOT NULL,       -- cycle in which all of it was done
  marginal_cycles INTEGER NOT NULL,     -- from the end of what ended before it to its own; sums to the frame's
  occupied_cycles INTEGER NOT NULL,     -- ended - began; those of draws side by side overlap
  texture_footprint INTEGER NOT NULL,   -- bytes of lines that it asked texture caches for, each line once
  texture_cache_footprint INTEGER NOT NULL,   -- the same in one cache, that which was asked for most
  texture_first_touches INTEGER NOT NULL,     -- lines, each once in each cache: misses that no cache size avoids
  compute_queue INTEGER NOT NULL,       -- 1: of the compute queue; 0: of the graphics queue
  context INTEGER NOT NULL,     -- whose work it is: context.context; 0: the only program's
  PRIMARY KEY (frame, work)
) WITHOUT ROWID;
CREATE TABLE pass (             -- work in a row for the same targets
  frame INTEGER NOT NULL, pass INTEGER NOT NULL,
  first_work INTEGER NOT NULL, last_work INTEGER NOT NULL,
  draws INTEGER NOT NULL,
  label TEXT,                   -- the labels that all its labelled draws share, the outermost first
  marginal_cycles INTEGER NOT NULL,
  width INTEGER, height INTEGER,
  PRIMARY KEY (frame, pass)
) WITHOUT ROWID;
CREATE TABLE work_counter (     -- what was counted for a piece of work, and by all units in its marginal cycles
  frame INTEGER NOT NULL, work INTEGER NOT NULL, counter INTEGER NOT NULL,
  own INTEGER NOT NULL,         -- counted for it; over all work of a frame this sums to frame_counter
  meanwhile INTEGER NOT NULL,   -- counted in its marginal cycles, for whatever work; sums to the same
  PRIMARY KEY (frame, work, counter)
) WITHOUT ROWID;
CREATE TABLE work_holdup (      -- who held the machine up in the marginal cycles of a piece of work
  frame INTEGER NOT NULL, work INTEGER NOT NULL,
  unit TEXT NOT NULL,           -- "gpu.texture0"; '': nothing was under way
  stage TEXT NOT NULL,          -- of the program that the unit ran: "fragment"; '': it runs none
  probes INTEGER NOT NULL,      -- that found it so; the machine is looked at every 17 cycles
  PRIMARY KEY (frame, work, unit, stage)
) WITHOUT ROWID;
CREATE TABLE frame_cause (      -- what held a frame up, as `cutaway explain` tells it; the shares sum to 1
  frame INTEGER NOT NULL,
  cause TEXT NOT NULL,          -- "fragment shading", "memory"
  share REAL NOT NULL,          -- of the frame's cycles
  PRIMARY KEY (frame, cause)
) WITHOUT ROWID;
CREATE TABLE interval_holdup (  -- the same as work_holdup, by interval
  frame INTEGER NOT NULL, interval INTEGER NOT NULL, unit TEXT NOT NULL, stage TEXT NOT NULL,
  probes INTEGER NOT NULL,
  PRIMARY KEY (frame, interval, unit, stage)
) WITHOUT ROWID;
CREATE TABLE tile (             -- what happened to the fragments of a tile of 8x8 pixels; tiles without any have no row
  frame INTEGER NOT NULL, pass INTEGER NOT NULL,
  x INTEGER NOT NULL, y INTEGER NOT NULL,  -- in tiles, from the upper left corner
  generated INTEGER NOT NULL,   -- fragments, by rasterisation
  killed_hz INTEGER NOT NULL,   -- fragments, by hierarchical Z
  killed_z INTEGER NOT NULL,    -- samples, by the depth test, before or after shading
  killed_stencil INTEGER NOT NULL,   -- samples, by the stencil test, before or after shading
  killed_shader INTEGER NOT NULL,    -- fragments, by their program
  shaded INTEGER NOT NULL,      -- lanes that stand for fragments
  helpers INTEGER NOT NULL,     -- lanes beside them, for derivatives
  shader_cycles INTEGER NOT NULL,    -- issue cycles of their thread groups, shared out over the quads of each
  texture_requests INTEGER NOT NULL, -- quads sent to texture units
  texture_misses INTEGER NOT NULL,   -- lines that the texture cache asked for
  written INTEGER NOT NULL,     -- samples, once for each color target
  last_write INTEGER,           -- cycle of the frame; null: no color was written
  PRIMARY KEY (frame, pass, x, y)
) WITHOUT ROWID;
CREATE TABLE fragment_frame (   -- frames with a log of their fragments: --stats fragments
  frame INTEGER PRIMARY KEY,
  events INTEGER NOT NULL,      -- in all its parts
  ends INTEGER                  -- the cycle from which on nothing is logged; null: the log is whole
);
CREATE TABLE fragment_target (  -- what the fragments of its passes were drawn to
  frame INTEGER NOT NULL, pass INTEGER NOT NULL,
  target INTEGER NOT NULL,      -- color target; -1: depth, of a pass without any color target
  surface INTEGER NOT NULL,     -- the same number: the same memory, seen in the same way
  address INTEGER NOT NULL, format TEXT NOT NULL,
  width INTEGER NOT NULL, height INTEGER NOT NULL,  -- pixels
  samples INTEGER NOT NULL,     -- of a pixel
  color INTEGER NOT NULL,       -- 1: the log has colors of it
  PRIMARY KEY (frame, pass, target)
) WITHOUT ROWID;
CREATE TABLE fragment_log (     -- what became of fragments, quad by quad, in the order in which it happened
  frame INTEGER NOT NULL, part INTEGER NOT NULL,
  first_cycle INTEGER NOT NULL, last_cycle INTEGER NOT NULL,  -- of the frame
  events INTEGER NOT NULL,      -- of the part
  data BLOB NOT NULL,           -- zlib; docs/run-database.md has the encoding
  PRIMARY KEY (frame, part)
);
CREATE TABLE instruction (      -- what the thread groups of a draw or dispatch did at an instruction of its program
  frame INTEGER NOT NULL, work INTEGER NOT NULL,
  stage TEXT NOT NULL,          -- vertex, fragment, compute...: of state.vertex_program and so on
  instruction INTEGER NOT NULL, -- line of program.instructions
  issued INTEGER NOT NULL,      -- groups; sums to what shader units count as instructions
  lanes INTEGER NOT NULL,       -- that executed it, helpers among them
  issue_cycles INTEGER NOT NULL,     -- of issue ports of shader units
  waited_flow INTEGER NOT NULL,      -- cycles of groups, as all below: for the branch before it
  waited_result INTEGER NOT NULL,    -- for an operand that an instruction before it makes
  waited_issue INTEGER NOT NULL,     -- while it could issue and other groups did
  waited_send INTEGER NOT NULL,      -- there after its issue: until the last of its quads had been sent to texture
  waited_texture INTEGER NOT NULL,   -- until texture had answered the last of them
  waited_drain INTEGER NOT NULL,     -- after a group's last instruction: for the ends of the pipelines
  waited_output INTEGER NOT NULL,    -- until the last of its results had left
  PRIMARY KEY (frame, work, stage, instruction)
) WITHOUT ROWID;
CREATE VIEW program_instruction AS   -- the same by program, of all draws of a frame
  SELECT frame, work.context AS context, CASE stage WHEN 'vertex' THEN vertex_program
      WHEN 'tessellation_control' THEN tessellation_control_program
      WHEN 'tessellation_evaluation' THEN tessellation_evaluation_program
      WHEN 'geometry' THEN geometry_program
      WHEN 'fragment' THEN fragment_program ELSE compute_program END AS program, instruction,
    sum(issued) AS issued, sum(lanes) AS lanes, sum(issue_cycles) AS issue_cycles,
    sum(waited_flow) AS waited_flow, sum(waited_result) AS waited_result, sum(waited_issue) AS waited_issue,
    sum(waited_send) AS waited_send, sum(waited_texture) AS waited_texture, sum(waited_drain) AS waited_drain,
    sum(waited_output) AS waited_output
  FROM instruction JOIN work USING (frame, work) JOIN state USING (frame, state)
  GROUP BY frame, work.context, program, stage, instruction;
CREATE TABLE interval (
  frame INTEGER NOT NULL, interval INTEGER NOT NULL,
  began INTEGER NOT NULL, ended INTEGER NOT NULL,  -- cycles of the frame: after `began`, up to and with `ended`
  PRIMARY KEY (frame, interval)
) WITHOUT ROWID;
CREATE TABLE interval_counter ( -- what was counted in it; 0 has no row
  frame INTEGER NOT NULL, interval INTEGER NOT NULL, counter INTEGER NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY (frame, interval, counter)
) WITHOUT ROWID;
CREATE TABLE interval_wire (    -- 0 messages and filling have no row
  frame INTEGER NOT NULL, interval INTEGER NOT NULL, wire INTEGER NOT NULL,
  messages INTEGER NOT NULL,    -- sent
  filling REAL NOT NULL,        -- mean number of messages under way or waiting, looked at every 64 cycles
  PRIMARY KEY (frame, interval, wire)
) WITHOUT ROWID;
CREATE TABLE context (          -- programs that shared the GPU; no row in a run of one program
  context INTEGER PRIMARY KEY,
  name TEXT NOT NULL,           -- of its capture's file
  capture TEXT NOT NULL,        -- path, as it was given
  waited_cycles INTEGER NOT NULL,       -- for which its submissions waited for other programs
  host_share REAL, others_share REAL, window_share REAL, gpu_share REAL, -- of its time: its host computes while
                                -- the GPU has none of its submissions; they wait for other programs; it waits
                                -- for its window; the GPU works for it or waits for the display. Null: no time
                                -- has passed
  computed_cycles INTEGER, alone_cycles INTEGER, submissions INTEGER, waits INTEGER, interrupt_cycles INTEGER,
  shown INTEGER, latency_cycles INTEGER,        -- of its host; null: it takes no time
  lost_frame INTEGER, lost_cycle INTEGER, lost_why TEXT, -- null: it was not lost
  window TEXT NOT NULL,         -- the surface of the first program that shows its pictures; empty: the screen
  window_cycles INTEGER NOT NULL        -- in which only its window held it up
);
CREATE TABLE context_frame (    -- a frame of a program that shared the GPU
  context INTEGER NOT NULL, program_frame INTEGER NOT NULL,     -- number in its capture
  began INTEGER NOT NULL, ended INTEGER NOT NULL,       -- cycles of the run
  alone_cycles INTEGER NOT NULL,        -- on a GPU of its own
  left_out INTEGER NOT NULL,            -- 1: its picture never came to the screen, or into the program's window
  shown_in INTEGER,             -- with a window: the first program's first frame that shows it; null: none does
  PRIMARY KEY (context, program_frame)
) WITHOUT ROWID;
CREATE TABLE context_phase (    -- what the cycles of the run were for, as the columns of frame; and alone
  phase TEXT PRIMARY KEY,       -- draw, copy, cache, display, command, host (no submission: hosts compute)
  cycles INTEGER NOT NULL,
  alone_cycles INTEGER NOT NULL         -- of all frames, each program on a GPU of its own, summed
) WITHOUT ROWID;
CREATE TABLE turn (             -- a program's submission had the GPU; turns and switches do not overlap
  frame INTEGER NOT NULL, turn INTEGER NOT NULL,
  context INTEGER NOT NULL,
  submission INTEGER NOT NULL,  -- work.submission
  began INTEGER NOT NULL, ended INTEGER NOT NULL,       -- cycles of the frame
  how TEXT NOT NULL,            -- it ended, was suspended, or was stopped by a reset
  drain_cycles INTEGER NOT NULL,        -- suspended: until its work had ended
  restored_bytes INTEGER NOT NULL,      -- of state sent anew, as it went on
  PRIMARY KEY (frame, turn)
) WITHOUT ROWID;
CREATE TABLE context_switch (   -- the GPU went to another program
  frame INTEGER NOT NULL, switch INTEGER NOT NULL,
  from_context INTEGER NOT NULL, to_context INTEGER NOT NULL,
  began INTEGER NOT NULL, ended INTEGER NOT NULL,       -- cycles of the frame
  flush_cycles INTEGER NOT NULL,        -- caches were written back
  invalidate_cycles INTEGER NOT NULL,   -- they and hierarchical Z were emptied
  bind_cycles INTEGER NOT NULL,         -- memory clients were bound to the other memory
  whole INTEGER NOT NULL,               -- 0: a reset came first; its last step is in no term
  PRIMARY KEY (frame, switch)
) WITHOUT ROWID;
)sql";

}  // namespace cutaway::report
