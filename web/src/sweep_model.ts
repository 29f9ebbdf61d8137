// A sweep as the page's data has it: points by column, machines, frames, and means that say what they are of.
export interface SweepColumn {
  name: string;
  unit: string;
  meaning: string;
  role: "point" | "parameter" | "figure";
  values: (number | string | null)[];
}

export interface SweepData {
  path: string;
  name: string;
  columns: SweepColumn[];
  plots: string[]; // SVG
  notes: string[]; // points that failed or were left out, estimates of samples
  results: string; // hash
}

export class Sweep {
  readonly name: string;
  readonly points: number[];
  readonly parameters: SweepColumn[];
  readonly figures: SweepColumn[];
  private readonly byName: Map<string, SweepColumn>;

  constructor(
    readonly data: SweepData,
    readonly index: number,
    name: string,
  ) {
    this.name = name;
    this.byName = new Map(data.columns.map((column) => [column.name, column]));
    this.points = (data.columns[0]?.values ?? []).map((_, i) => i);
    this.parameters = data.columns.filter((column) => column.role === "parameter");
    this.figures = data.columns.filter((column) => column.role === "figure");
  }
  value(name: string, point: number): number | string | null {
    return this.byName.get(name)?.values[point] ?? null;
  }
  number(name: string, point: number): number {
    return Number(this.value(name, point) ?? 0);
  }
  milliseconds(point: number): number {
    return this.number("nanoseconds", point) / 1e6;
  }
  // The machine of a point: "attila, memory.channels = 2".
  machine(point: number): string {
    return [this.value("gpu", point), ...this.parameters.filter((one) => one.values[point] !== null).map((one) => `${one.name} = ${one.values[point]}`)].join(", ");
  }
  capture(point: number): string {
    return String(this.value("capture", point) ?? "").split("/").pop()!;
  }
  frame(point: number): string {
    return `${this.capture(point)}, frame ${this.value("frame", point)}`;
  }
  several(name: string): boolean {
    return new Set(this.byName.get(name)?.values ?? []).size > 1;
  }
}

export interface MachineMean {
  machine: string;
  points: number[];
  lacks: number; // frames that other machines have and it has not
}

// Points by machine, and what frames each lacks: a mean over other frames cannot be held against it.
export function machinesOf(sweep: Sweep): { machines: MachineMean[]; frames: number } {
  const frames = new Set(sweep.points.map((point) => sweep.frame(point)));
  const byMachine = new Map<string, number[]>();
  for (const point of sweep.points) {
    const machine = sweep.machine(point);
    if (!byMachine.has(machine)) byMachine.set(machine, []);
    byMachine.get(machine)!.push(point);
  }
  const machines = [...byMachine].map(([machine, points]) => ({ machine, points, lacks: frames.size - new Set(points.map((point) => sweep.frame(point))).size }));
  return { machines, frames: frames.size };
}

// Points of two sweeps with the same frame and machine, as far as both sweeps vary it.
export function matched(first: Sweep, second: Sweep): { pairs: [number, number][]; left: [number, number] } {
  const shared = first.parameters.map((one) => one.name).filter((name) => second.parameters.some((other) => other.name === name));
  const key = (sweep: Sweep, point: number, gpus: boolean) => [sweep.frame(point), gpus ? sweep.value("gpu", point) : "", ...shared.map((name) => sweep.value(name, point))].join("|");
  // Two sweeps of one machine each are held against each other though the machines differ.
  const gpus = first.several("gpu") || second.several("gpu");
  const places = new Map<string, number>();
  for (const point of first.points) if (!places.has(key(first, point, gpus))) places.set(key(first, point, gpus), point);
  const pairs = second.points.flatMap((point): [number, number][] => {
    const place = places.get(key(second, point, gpus));
    return place === undefined ? [] : [[place, point]];
  });
  return { pairs, left: [first.points.length - new Set(pairs.map(([one]) => one)).size, second.points.length - pairs.length] };
}

// Sweeps by name, or by path where two have the same name.
export function sweepNames(sweeps: SweepData[]): string[] {
  const names = sweeps.map((sweep) => sweep.name);
  return new Set(names).size === names.length ? names : sweeps.map((sweep) => sweep.path);
}
