// What views ask of a run: names of units and kinds, accounts, sums over counters, series over time.
import { milliseconds } from "./dom";
import type { FrameData, InstructionTime, RunData, Stage } from "./data";

export const accounts = ["busy", "starved", "blocked", "idle"] as const;
export type Account = (typeof accounts)[number];
export const nothing = "nothing under way"; // who holds a machine up that has no work
export type Shares = Record<Account, number>;
export type Cause = { words: string; share: number };
export type Holder = { unit: string; share: number };

// "gpu.shader12": "shader".
export const kindOf = (unit: string): string =>
  unit
    .replace(/^gpu\./, "")
    .replace(/\d+(?=\.|$)/g, "")
    .replace(/_/g, " ");
// "gpu.shader12": "shader 12".
export const shortName = (unit: string): string => unit.replace(/^gpu\./, "").replace(/_/g, " ");

export function accountOf(name: string): Account | null {
  const kind = name.split(".", 1)[0] as Account;
  return (accounts as readonly string[]).includes(kind) && (kind === name || name[kind.length] === ".") ? kind : null;
}

export const ratio = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);
export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

// A run with its counters by unit and name.
export class Run {
  readonly name: string;
  readonly meta = new Map<string, string>();
  readonly parameters = new Map<string, string>();
  readonly kinds = new Map<string, string[]>(); // units by kind, in the order in which work passes them
  readonly frames: Frame[];
  private readonly byUnit = new Map<string, Map<string, number>>();

  constructor(
    readonly data: RunData,
    readonly index: number,
    names: string[],
  ) {
    data.meta.name.forEach((name, i) => this.meta.set(name, data.meta.value[i]));
    data.parameters.path.forEach((path, i) => this.parameters.set(path, data.parameters.value[i]));
    for (const unit of data.units) {
      const kind = kindOf(unit);
      if (!this.kinds.has(kind)) this.kinds.set(kind, []);
      this.kinds.get(kind)!.push(unit);
    }
    data.counters.unit.forEach((unit, i) => {
      if (!this.byUnit.has(unit)) this.byUnit.set(unit, new Map());
      this.byUnit.get(unit)!.set(data.counters.name[i], i);
    });
    this.name = names[index];
    this.frames = data.frames.map((frame) => new Frame(this, frame));
  }

  frame(number: number): Frame {
    return this.frames.find((frame) => frame.number === number) ?? this.frames[0];
  }
  countersOf(unit: string): Map<string, number> {
    return this.byUnit.get(unit) ?? new Map();
  }
  counted(): string[] {
    return [...this.byUnit.keys()];
  }
  // Numbers of the counters of a name: of units of the kind, or of all units. Counters of a part of a unit
  // ("gpu.shader0.primitives") are not the unit's.
  countersNamed(name: string, kind?: string): number[] {
    const { counters } = this.data;
    const fits = (unit: string) => (kind === undefined ? /^gpu\.[^.]+$/.test(unit) : kindOf(unit) === kind);
    return counters.name.flatMap((other, i) => (other === name && fits(counters.unit[i]) ? [i] : []));
  }
  counterLabel(counter: number): string {
    return `${shortName(this.data.counters.unit[counter])}: ${this.data.counters.name[counter]}`;
  }
  // Clients of the memory controller: "texture0", with their counters of bytes.
  clients(): { name: string; kind: string; read: number | undefined; write: number | undefined }[] {
    const prefix = /^(.*)\.([^.]+)$/;
    return this.counted().flatMap((unit) => {
      const counters = this.countersOf(unit);
      const read = counters.get("read_bytes"),
        write = counters.get("write_bytes"),
        parts = prefix.exec(unit);
      if ((read === undefined && write === undefined) || counters.has("busy") || !parts) return [];
      return [{ name: parts[2], kind: parts[2].replace(/\d+$/, "").replace(/_/g, " "), read, write }];
    });
  }
  // Caches: pairs of counters NAME_hits and NAME_misses of a unit.
  caches(): { unit: string; name: string; hits: number; misses: number }[] {
    const caches: { unit: string; name: string; hits: number; misses: number }[] = [];
    for (const unit of this.counted())
      for (const [name, hits] of this.countersOf(unit)) {
        if (!name.endsWith("hits")) continue;
        const base = name.slice(0, -4);
        const misses =
          this.countersOf(unit).get(`${base}misses`) ??
          (name === "post_cache_hits" ? this.countersOf(unit).get("vertices_shaded") : undefined);
        if (misses !== undefined) caches.push({ unit, name: base.replace(/_$/, "").replace(/_/g, " "), hits, misses });
      }
    return caches;
  }
  coreMhz(): number {
    return Number(this.parameters.get("gpu.core_mhz")) || 0;
  }
  // Lanes of thread groups, of all classes of shader units: "4"; "4 and 32".
  groupLanes(): string {
    return [...new Set([...this.parameters].filter(([path]) => path.endsWith(".group_lanes")).map(([, value]) => value))].join(" and ");
  }
  // Bytes that the channels of memory move in a cycle of the core at most; 0: not known.
  memoryPeak(): number {
    const [channels, bytes, memory, core] = ["memory.channels", "memory.bytes_per_cycle", "gpu.memory_mhz", "gpu.core_mhz"].map((path) => Number(this.parameters.get(path)));
    return core > 0 ? (channels * bytes * memory) / core || 0 : 0;
  }
  program(address: string): number {
    return this.data.programs.address.indexOf(address);
  }
}

export class Frame {
  readonly number: number;
  readonly cycles: number;
  private readonly totals = new Map<number, number>();
  private readonly series = new Map<number, number[]>();
  private readonly byWork = new Map<number, { work: number[]; own: number[]; meanwhile: number[] }>();
  private readonly zeros: number[];

  constructor(
    readonly run: Run,
    readonly data: FrameData,
  ) {
    this.number = data.frame;
    this.cycles = data.totals.cycles[0] ?? 0;
    data.counters.counter.forEach((counter, i) => this.totals.set(counter, data.counters.value[i]));
    for (const { counter, values } of data.interval_counters) this.series.set(counter, values);
    for (const entry of data.work_counters) this.byWork.set(entry.counter, entry);
    this.zeros = data.intervals.began.map(() => 0);
  }

  // A run of several programs is one frame, unless the GPU was reset.
  get title(): string {
    if (!this.run.data.shared) return `frame ${this.number}`;
    return this.run.data.frames.length > 1 ? `part ${this.number} of the run` : "the run";
  }
  // Time that cycles of the core's clock take.
  time(cycles: number): string {
    const mhz = this.run.coreMhz();
    return mhz > 0 ? milliseconds(cycles / mhz / 1000) : "";
  }
  total(counter: number | undefined): number {
    return counter === undefined ? 0 : (this.totals.get(counter) ?? 0);
  }
  totalNamed(name: string, kind?: string): number {
    return sum(this.run.countersNamed(name, kind).map((counter) => this.total(counter)));
  }
  overTime(counter: number | undefined): number[] {
    return counter === undefined ? this.zeros : (this.series.get(counter) ?? this.zeros);
  }
  // Sums of several counters, interval by interval.
  sumOverTime(counters: (number | undefined)[]): number[] {
    const total = this.zeros.slice();
    for (const counter of counters) {
      const values = counter === undefined ? undefined : this.series.get(counter);
      if (values) for (let i = 0; i < total.length; i++) total[i] += values[i];
    }
    return total;
  }
  // By work: what was counted, as `own` or `meanwhile`, summed over counters.
  forWork(counters: number[], which: "own" | "meanwhile" = "own"): number[] {
    const total = this.data.work.work.map(() => 0);
    for (const counter of counters) {
      const entry = this.byWork.get(counter);
      if (entry) entry.work.forEach((work, i) => (total[work] += entry[which][i]));
    }
    return total;
  }
  // Of one piece of work: by counter.
  ofWork(work: number): { counter: number; own: number; meanwhile: number }[] {
    const rows: { counter: number; own: number; meanwhile: number }[] = [];
    for (const [counter, entry] of this.byWork) {
      const at = find(entry.work, work);
      if (at >= 0) rows.push({ counter, own: entry.own[at], meanwhile: entry.meanwhile[at] });
    }
    return rows;
  }
  // What held the machine up in the frame, the largest share first.
  causes(): Cause[] {
    return this.data.holdups.frame;
  }
  // The same for each piece of work.
  causesOfWork(): Cause[][] {
    const byWork: Cause[][] = this.data.work.work.map(() => []);
    const { work, words, share } = this.data.holdups.causes;
    work.forEach((one, i) => byWork[one].push({ words: words[i], share: share[i] }));
    return byWork;
  }
  // Units by their share of the probes that found them to hold the machine up, the largest first.
  holders(): Holder[] {
    const { holdups } = this.data;
    const probes = new Map<string, number>();
    holdups.work.unit.forEach((unit, i) => probes.set(unit, (probes.get(unit) ?? 0) + holdups.work.probes[i]));
    return this.inShares(probes);
  }
  // The same for each piece of work.
  holdersOfWork(): Holder[][] {
    const byWork = this.data.work.work.map(() => new Map<string, number>());
    const { holdups } = this.data;
    holdups.work.work.forEach((work, i) => byWork[work].set(holdups.work.unit[i], holdups.work.probes[i]));
    return byWork.map((probes) => this.inShares(probes));
  }
  private inShares(probes: Map<string, number>): Holder[] {
    const all = sum(probes.values());
    return [...probes].map(([unit, count]) => ({ unit, share: ratio(count, all) })).sort((a, b) => b.share - a.share);
  }
  // Shares of the probes of each interval, by cause, the largest first. The unit is one of the cause's.
  causesOverTime(): { words: string; unit: string; values: number[] }[] {
    const causes = new Map<string, { unit: string; values: number[] }>();
    const all = this.zeros.slice();
    for (const { unit, words, probes } of this.data.holdups.intervals) {
      if (!causes.has(words)) causes.set(words, { unit, values: this.zeros.slice() });
      const { values } = causes.get(words)!;
      probes.forEach((count, i) => ((values[i] += count), (all[i] += count)));
    }
    return [...causes]
      .sort((a, b) => sum(b[1].values) - sum(a[1].values))
      .map(([words, { unit, values }]) => ({ words, unit, values: values.map((value, i) => ratio(value, all[i])) }));
  }
  // What thread groups did at each instruction of a program of the work's stage: for the work, or for all work of
  // the frame with that program.
  instructionTimes(work: number, stage: Stage, all: boolean): InstructionTime[] {
    const { instructions, work: works, states } = this.data;
    const programs = states[`${stage}_program`];
    const programOf = (i: number) => (works.state[i] === null ? null : programs[works.state[i]!]);
    const times: InstructionTime[] = [];
    instructions.work.forEach((of, i) => {
      if (instructions.stage[i] !== stage || (all ? programOf(of) !== programOf(work) : of !== work)) return;
      const time = (times[instructions.instruction[i]] ??= noTime());
      for (const name of Object.keys(time) as (keyof InstructionTime)[]) time[name] += instructions[name][i];
    });
    return times;
  }
  accountCounters(unit: string): Record<Account, number[]> {
    const found: Record<Account, number[]> = { busy: [], starved: [], blocked: [], idle: [] };
    for (const [name, counter] of this.run.countersOf(unit)) {
      const account = accountOf(name);
      if (account) found[account].push(counter);
    }
    return found;
  }
  shares(units: string[]): Shares {
    return shareOf((account) => sum(units.flatMap((unit) => this.accountCounters(unit)[account].map((c) => this.total(c)))));
  }
  sharesOverTime(units: string[]): Record<Account, number[]> {
    const cycles = accounts.map((account) =>
      this.sumOverTime(units.flatMap((unit) => this.accountCounters(unit)[account])),
    );
    const all = this.zeros.map((_, i) => sum(cycles.map((series) => series[i])));
    const share = (k: number) => cycles[k].map((value, i) => ratio(value, all[i]));
    return { busy: share(0), starved: share(1), blocked: share(2), idle: share(3) };
  }
  wireMessages(wire: number): number {
    return sum(this.data.interval_wires.find((entry) => entry.wire === wire)?.messages ?? []);
  }
  // The words of `cutaway explain`; no two draws of a frame have the same.
  workLabel(work: number): string {
    const { kind, packet, submission, draw, label } = this.data.work;
    const context = this.data.work.context[work];
    const program = this.run.data.shared?.programs[context];
    const of = program ? `, of ${context + 1}: ${program.name}` : "";
    if (kind[work] === "rest") return `end of submission ${submission[work]}${of}`;
    const what = (draw[work] === null ? packet[work].toLowerCase().replace(/_/g, " ") : `draw ${draw[work]} of submission ${submission[work]}`) + of;
    return label[work] ? `${label[work]}: ${what}` : what;
  }
  passLabel(pass: number): string {
    const { label, width, height } = this.data.passes;
    const size = width[pass] ? `${width[pass]} × ${height[pass]}` : "no targets";
    return label[pass] ? `${label[pass]} (${size})` : size;
  }
}

// Kinds of units of all runs, those first that held machines up most; the others in the order of the machine.
export function kindsByWeight(runs: Run[]): string[] {
  const weights = new Map(runs.flatMap((run) => [...run.kinds.keys()]).map((kind) => [kind, 0]));
  for (const run of runs)
    for (const frame of run.frames)
      for (const { unit, share } of frame.holders()) {
        const kind = kindOf(unit);
        if (weights.has(kind)) weights.set(kind, weights.get(kind)! + share / run.frames.length);
      }
  return [...weights].sort((a, b) => b[1] - a[1]).map(([kind]) => kind);
}

export const noTime = (): InstructionTime => ({
  issued: 0, lanes: 0, issue_cycles: 0, waited_flow: 0, waited_result: 0, waited_issue: 0, waited_send: 0, waited_texture: 0, waited_drain: 0, waited_output: 0,
});

export function shareOf(cycles: (account: Account) => number): Shares {
  const parts = accounts.map(cycles);
  const all = sum(parts);
  return { busy: ratio(parts[0], all), starved: ratio(parts[1], all), blocked: ratio(parts[2], all), idle: ratio(parts[3], all) };
}

// Place of a number in an ascending list; -1: not there.
function find(sorted: number[], value: number): number {
  let low = 0,
    high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === value ? low : -1;
}

// Runs by what tells them apart.
export function runNames(runs: RunData[]): string[] {
  const fact = (run: RunData, name: string) => run.meta.value[run.meta.name.indexOf(name)] ?? "";
  const file = (path: string) => path.replace(/\/+$/, "").replace(/\/run\.sqlite$/, "").split("/").pop() ?? path;
  const candidates = [
    (run: RunData) => fact(run, "gpu"),
    (run: RunData) => `${fact(run, "gpu")}, ${file(fact(run, "capture")).replace(/\.cutaway$/, "")}`,
    (run: RunData) => file(run.path),
    (run: RunData) => run.path,
  ];
  for (const candidate of candidates) {
    const names = runs.map(candidate);
    if (names.every(Boolean) && new Set(names).size === names.length) return names;
  }
  return runs.map((run, i) => `${i + 1}: ${file(run.path)}`);
}
