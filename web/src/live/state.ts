// What the command tells of itself: docs/live.md has the meaning of each member.
import type { Shares } from "../model";

export interface Unit extends Shares {
  unit: string;
  holds_up: number;
}
export interface Queue {
  from: string;
  to: string;
  slots: number;
  filling: number;
}
export interface Work {
  kind: string;
  submission: number;
  draw?: number;
  draw_of_submission?: number;
  of_driver?: boolean;
}
export interface Running {
  frame: number;
  warming_up: boolean;
  cycles: number;
  share: number;
  draws: number;
  work: Work | null;
  units: Unit[];
  queues: Queue[];
}
export interface Recorded {
  frame: number;
  first_cycle: number;
  last_cycle: number;
  file?: string;
  error?: string;
}
export interface State {
  schema: number;
  state: "starting" | "capturing" | "simulating" | "done";
  paused: boolean;
  recording: number | null;
  can_record: boolean;
  what: string;
  gpu: string;
  pid: number;
  jobs: number;
  frames: { first: number; last: number; all: number; done: number } | null;
  cycles: number;
  share: number;
  cycles_per_second: number;
  seconds: number;
  paused_seconds: number;
  seconds_left: number | null;
  running: Running[];
  finished: { frame: number; cycles: number }[];
  recordings: Recorded[];
}

// An order to the command: its answer's error, or null.
export async function order(name: string): Promise<string | null> {
  try {
    const response = await fetch(name, { method: "POST" });
    if (response.ok) return null;
    return ((await response.json()) as { error?: string }).error ?? `status ${response.status}`;
  } catch {
    return "the command does not answer";
  }
}

export async function readState(): Promise<State> {
  const response = await fetch("state", { cache: "no-store", signal: AbortSignal.timeout(5000) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()) as State;
}
