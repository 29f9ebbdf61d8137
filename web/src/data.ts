// The data of the page as `cutaway report` writes it (src/report/page): columns of the tables of run.sqlite.

import type { SweepData } from "./sweep_model";

export interface Columns {
  [name: string]: unknown[];
}

export interface Surface {
  name?: string;
  address?: string;
  format?: string;
  width?: number;
  height?: number;
  levels?: number;
  layers?: number;
  samples?: number;
  stage?: string;
  binding?: number;
  [other: string]: unknown;
}

// A target of a pass in the log of fragments; passes with the same surface draw to the same memory.
export interface FragmentTarget {
  pass: number;
  target: number; // color target; -1: depth, of a pass without any
  surface: number;
  address: string;
  format: string;
  width: number;
  height: number;
  samples: number;
  color: boolean; // the log has colors of it
}

// Kinds of programs, in the order in which data flows.
export const stages = ["vertex", "tessellation_control", "tessellation_evaluation", "geometry", "fragment", "compute"] as const;
export type Stage = (typeof stages)[number];

// Groups, lanes, and cycles of groups (docs/run-database.md).
export interface InstructionTime {
  issued: number;
  lanes: number;
  issue_cycles: number;
  waited_flow: number;
  waited_result: number;
  waited_issue: number;
  waited_send: number;
  waited_texture: number;
  waited_drain: number;
  waited_output: number;
}

interface SurfaceColumns {
  address: string[];
  format: string[];
  width: number[];
  height: number[];
  samples: number[];
  depth: boolean[];
}

export interface FrameData {
  frame: number;
  totals: {
    cycles: number[];
    // What they were for; they sum to them.
    draw_cycles: number[];
    copy_cycles: number[];
    cache_cycles: number[];
    display_cycles: number[];
    command_cycles: number[];
    bytes_read: number[];
    bytes_written: number[];
    memory_hash: string[];
    statistics_hash: string[];
  };
  counters: { counter: number[]; value: number[] };
  states: {
    state: number[];
    width: number[];
    height: number[];
    samples: number[];
    topology: string[];
    targets: ({ color?: (Surface | null)[]; depth?: Surface | null } | null)[];
    textures: (Surface[] | null)[];
    buffers: (Surface[] | null)[];
    settings: (Record<string, unknown> | null)[];
  } & Record<`${Stage}_program`, string[]>;
  work: {
    work: number[];
    kind: string[];
    packet: string[];
    submission: number[];
    draw: (number | null)[];
    of_driver: number[];
    label: (string | null)[];
    pass: number[];
    state: (number | null)[];
    vertices: (number | null)[];
    instances: (number | null)[];
    began: number[];
    ended: number[];
    marginal_cycles: number[];
    occupied_cycles: number[];
    texture_footprint: number[];
    texture_cache_footprint: number[];
    context: number[]; // whose work it is: index of SharedData.programs
  };
  passes: {
    pass: number[];
    first_work: number[];
    last_work: number[];
    draws: number[];
    label: (string | null)[];
    marginal_cycles: number[];
    width: (number | null)[];
    height: (number | null)[];
  };
  // Turns that a program had the GPU, and switches, of a run of several programs: they do not overlap.
  turns: { context: number[]; submission: number[]; began: number[]; ended: number[]; how: string[] };
  switches: Record<"from_context" | "to_context" | "began" | "ended" | "flush_cycles" | "invalidate_cycles" | "bind_cycles", number[]>;
  // The tree of labels in the order of the frame, as `cutaway explain` has it; empty: there are no labels.
  roll_up: { name: string[]; depth: number[]; cycles: number[]; draws: number[]; first_work: number[] };
  work_counters: { counter: number; work: number[]; own: number[]; meanwhile: number[] }[];
  intervals: { interval: number[]; began: number[]; ended: number[] };
  interval_counters: { counter: number; values: number[] }[];
  interval_wires: { wire: number; messages: number[]; filling: number[] }[];
  // What held the machine up, in the words of `cutaway explain`: of the frame with evidence, and of each piece of
  // work in its marginal cycles, the largest share first; probes by work and unit, and as a series for each unit
  // and stage. The unit "": nothing was under way.
  holdups: {
    frame: { words: string; kind: string; share: number; evidence: string[] }[];
    remarks: string[]; // on overdraw and helper lanes
    causes: { work: number[]; words: string[]; share: number[] };
    work: { work: number[]; unit: string[]; probes: number[] };
    intervals: { unit: string; words: string; probes: number[] }[];
  };
  what_ifs: string[]; // commands that measure what a faster machine would gain
  tiles: Record<string, (number | null)[]> | null; // null: nothing was drawn
  // What thread groups did at an instruction of a program of a draw or dispatch, work by work.
  instructions: { stage: Stage[] } & Record<"work" | "instruction" | keyof InstructionTime, number[]>;
  // Unit, shares of its cycles, what it holds others up, and for whom it waits: neighbour, starved, share.
  weights: [string, number, number, number, number, number, [string, boolean, number][]][];
  fragments: {
    events: number;
    ends: number | null; // the cycle from which on nothing is logged
    kinds: string[]; // what became of fragments, by kind of event
    targets: FragmentTarget[];
    parts: { first_cycle: number; events: number; line: number }[]; // line: of PageData.lines
  } | null;
  picture: string | null; // PNG, base64
  // Pictures of targets, meshes and textures of draws; `line`: of PageData.lines.
  views: {
    remark: string | null; // why there are none, or why they may be wrong
    last: number | null; // work after which there was no room; null: all are there
    targets: SurfaceColumns;
    // In the order of the draws: a rectangle, PNG, of which transparent pixels have not changed. The first of a
    // target is all of it. before: copies and clears changed it before the draw.
    changes: { before: boolean[] } & Record<"work" | "target" | "x" | "y" | "width" | "height" | "line", number[]>;
    // Positions (four floats of clip space each), then indices (32 bits), gzip.
    meshes: { scale: number[][]; offset: number[][] } & Record<"work" | "corners" | "vertices" | "primitives" | "left_out" | "line", number[]>;
    textures: SurfaceColumns & Record<"full_width" | "full_height" | "level" | "line", number[]>;
    uses: { stage: Stage[] } & Record<"work" | "binding" | "texture", number[]>;
  };
}

export interface DiagramData {
  boxes: { text: string; units: string[]; memory: boolean; area: number[]; depth: number }[];
  lines: { kind: number; points: number[][] }[];
  texts: { at: number[]; anchor: number; kind: number; text: string }[];
  area: number[];
}

// A program that shared the GPU with others.
export interface SharedProgram {
  name: string;
  bound: string; // by what, in the words of `cutaway explain`; "": no time has passed
  shares: { host: number; others: number; window: number; gpu: number } | null; // of its time
  waited: number; // cycles for which its submissions waited for the others
  // In cycles of the run; alone: on a GPU of its own. left_out: its picture was never shown. shown_in: the
  // first program's first frame that shows it in a window.
  frames: { frame: number; began: number; ended: number; alone: number; left_out: boolean; shown_in: number | null }[];
  lost: { frame: number; cycle: number; why: string } | null;
  parts: { frame: number; cycles: number; causes: { words: string; share: number }[] }[]; // of the run, between resets
  picture: string | null; // its last one: PNG, base64
  picture_frame: number | null; // that the picture is of
}
export interface SharedData {
  programs: SharedProgram[];
  switches: { switches: number; flush_cycles: number; invalidate_cycles: number; bind_cycles: number };
  preemptions: { preemptions: number; drain_cycles: number; restored_bytes: number };
}

export interface RunData {
  path: string;
  meta: { name: string[]; value: string[] };
  parameters: { path: string[]; value: string[]; source: string[]; differs: number[] };
  counters: { unit: string[]; name: string[]; counts: string[]; meaning: string[] };
  wires: {
    sender: string[];
    receiver: string[];
    message: string[];
    latency: number[];
    bandwidth: number[];
    slots: number[];
  };
  units: string[];
  diagram: DiagramData;
  programs: {
    address: string[];
    instructions: string[];
    source_of: (string | null)[];
    name: (string | null)[];
    spirv: (string[] | null)[];
  };
  shared: SharedData | null; // null: the run is of one program
  frames: FrameData[];
}

// Of parameters, by path: unit, range, meaning.
export type Declarations = Record<string, [string, string, string]>;

export interface PageData {
  runs: RunData[];
  sweeps: SweepData[];
  declarations: Declarations;
  lines: string[]; // the text of the page by line: the first is the rest of this, the others parts of logs
}

// Base64 of gzip of JSON in the first line, as it stands in the page.
export async function readData(text: string): Promise<PageData> {
  const lines = text.trim().split("\n");
  const binary = atob(lines[0]);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return { ...((await new Response(stream).json()) as PageData), lines };
}
