// Runs side by side, what differs first. The first run is what others are held against.
import { shareBar } from "./bars";
import { fixed, h, number, percent } from "./dom";
import { figures, picture } from "./overview";
import { accountOf, type Frame, kindOf, type Run } from "./model";
import { type Column, table } from "./table";
import type { View } from "./view";

interface Line {
  name: string;
  group: string;
  values: (number | null)[]; // one for each run
  judged?: boolean; // less of it is better
}

const change = (line: Line, i: number): number | null => {
  const [first] = line.values,
    other = line.values[i];
  if (first === null || other === null) return null;
  return first === other ? 0 : first === 0 ? Infinity : other / first - 1;
};
// What is in some of the runs only differs most.
const size = (line: Line): number => (line.values.includes(null) ? Infinity : Math.max(0, ...line.values.map((_, i) => Math.abs(change(line, i) ?? 0))));
// "only in g80"; null: it is in all.
function onlyIn(runs: Run[], has: (run: Run, i: number) => boolean): string | null {
  const those = runs.filter(has);
  return those.length === runs.length ? null : `only in ${those.map((run) => run.name).join(", ")}`;
}
const signed = (runs: Run[], line: Line, i: number): Node | string => {
  const share = change(line, i);
  if (share === null) return onlyIn(runs, (_, k) => line.values[k] !== null) ?? "–";
  if (share === 0) return "=";
  const text = Number.isFinite(share) ? `${share > 0 ? "+" : "−"}${percent(Math.abs(share))}` : "from 0";
  return line.judged ? h("span", { class: share > 0 ? "more" : "less" }, text) : text;
};
const clocksDiffer = (runs: Run[]): boolean => new Set(runs.map((run) => run.coreMhz())).size > 1;
const clocksKnown = (runs: Run[]): boolean => runs.every((run) => run.coreMhz() > 0);
// Cycles of different clocks cannot be held against each other: they become microseconds.
const inTime = (runs: Run[]): boolean => clocksDiffer(runs) && clocksKnown(runs);
function duration(runs: Run[], i: number, cycles: number | null): number | null {
  if (cycles === null || !inTime(runs)) return cycles;
  return Math.round((cycles / runs[i].coreMhz()) * 1000) / 1000;
}

function columns(runs: Run[], name: string): Column<Line>[] {
  return [
    { title: name, text: true, wide: true, value: (line) => line.name },
    ...runs.flatMap((run, i): Column<Line>[] => [
      { title: run.name, value: (line) => line.values[i], show: (line) => (line.values[i] === null ? "–" : number(line.values[i]!)) },
      ...(i > 0 ? [{ title: "change", tip: `against ${runs[0].name}`, value: (line: Line) => change(line, i), show: (line: Line) => signed(runs, line, i) }] : []),
    ]),
  ];
}

// Counters summed over units of a kind: machines may have different numbers of units.
function totals(frames: (Frame | null)[]): Line[] {
  const lines = new Map<string, Line>();
  frames.forEach((frame, i) => {
    if (!frame) return;
    const { unit, name } = frame.run.data.counters;
    unit.forEach((path, counter) => {
      if (accountOf(name[counter])) return; // the table of units has them
      const key = `${kindOf(path)}: ${name[counter].replace(/\[\d+\]$/, "").replace(/_/g, " ")}`;
      if (!lines.has(key)) lines.set(key, { name: key, group: kindOf(path), values: frames.map(() => null) });
      const { values } = lines.get(key)!;
      values[i] = (values[i] ?? 0) + frame.total(counter);
    });
  });
  return [...lines.values()].filter((line) => line.values.some((value) => value));
}

function drawLines(runs: Run[], frames: (Frame | null)[]): Line[] {
  const lines = new Map<string, Line>();
  frames.forEach((frame, i) => {
    if (!frame) return;
    const { work } = frame.data;
    const seen = new Map<string, number>();
    work.work.forEach((k) => {
      // Draws by number in their submission, submissions in order; other work by kind and order.
      const first = work.submission[0];
      const draw = work.draw[k] !== null ? `draw ${work.draw[k]}` : work.packet[k].toLowerCase().replace(/_/g, " ");
      const base = `${work.submission[k] - first}/${draw}`;
      const again = seen.get(base) ?? 0;
      seen.set(base, again + 1);
      const key = `${base}/${again}`;
      if (!lines.has(key)) lines.set(key, { name: `${k}: ${frame.workLabel(k)}`, group: work.kind[k], values: frames.map(() => null), judged: true });
      lines.get(key)!.values[i] = duration(runs, i, work.marginal_cycles[k]);
    });
  });
  return [...lines.values()];
}

function parameterTable(runs: Run[]): HTMLElement {
  const paths = [...new Set(runs.flatMap((run) => [...run.parameters.keys()]))].sort();
  const rows = paths
    .filter((path) => new Set(runs.map((run) => run.parameters.get(path))).size > 1)
    .map((path) => ({ path, differs: parameterRatio(runs, path) }))
    .sort((a, b) => (a.differs === b.differs ? 0 : b.differs - a.differs));
  return table(
    rows,
    [
      { title: "parameter", text: true, value: (row) => row.path },
      ...runs.map((run): Column<(typeof rows)[number]> => ({ title: run.name, text: true, value: (row) => run.parameters.get(row.path) ?? "–" })),
      {
        title: "differs",
        tip: "how many times as large the largest is as the smallest",
        value: (row) => row.differs,
        show: (row) => onlyIn(runs, (run) => run.parameters.has(row.path)) ?? (row.differs === Number.MAX_VALUE ? "from 0" : row.differs > 1 ? `× ${+row.differs.toFixed(2)}` : ""),
      },
    ],
    { name: "Parameters that differ", height: 360, filter: rows.length > 14, empty: "All parameters are equal." },
  );
}

// The largest of a parameter's values by the smallest: what some runs do not have is larger than any, what is from 0
// next, and what is no number comes last.
function parameterRatio(runs: Run[], path: string): number {
  const texts = runs.map((run) => run.parameters.get(path));
  if (texts.includes(undefined)) return Infinity;
  const values = texts.map(Number);
  if (values.some(Number.isNaN)) return 0;
  const sizes = values.map(Math.abs);
  return Math.min(...sizes) > 0 ? Math.max(...sizes) / Math.min(...sizes) : Number.MAX_VALUE;
}

// What held the machines up, cause by cause: what differs most first.
function bindTable(runs: Run[], frames: (Frame | null)[]): HTMLElement | null {
  if (!frames.some((frame) => frame)) return null;
  const shares = frames.map((frame) => (frame ? new Map(frame.causes().map(({ words, share }) => [words, share])) : null));
  const causes = [...new Set(shares.flatMap((one) => [...(one?.keys() ?? [])]))];
  // Null where a run has no such frame.
  const share = (i: number, cause: string): number | null => (shares[i] ? (shares[i].get(cause) ?? 0) : null);
  const spread = (cause: string) => {
    const known = runs.map((_, i) => share(i, cause) ?? 0);
    return Math.max(...known) - Math.min(...known);
  };
  return table(
    causes,
    [
      { title: "held up by", text: true, value: (cause) => cause },
      ...runs.map((run, i): Column<string> => ({ title: run.name, value: (kind) => share(i, kind), show: (kind) => (share(i, kind) === null ? "–" : percent(share(i, kind)!)) })),
      { title: "difference", tip: "of the shares of the probes", value: spread, show: (kind) => percent(spread(kind)) },
    ],
    { name: "What binds", sort: 1 + runs.length, descending: true },
  );
}

function unitTable(runs: Run[], frames: (Frame | null)[]): HTMLElement {
  const kinds = [...new Set(runs.flatMap((run) => [...run.kinds.keys()]))];
  const shares = new Map(kinds.map((kind) => [kind, frames.map((frame) => (frame && frame.run.kinds.has(kind) ? frame.shares(frame.run.kinds.get(kind)!) : null))]));
  const only = (kind: string) => onlyIn(runs, (run) => run.kinds.has(kind));
  const spread = (kind: string) => {
    if (only(kind)) return Infinity;
    const busy = shares.get(kind)!.filter((one) => one !== null).map((one) => one.busy);
    return Math.max(...busy) - Math.min(...busy);
  };
  return table(
    kinds,
    [
      { title: "units", text: true, value: (kind) => kind },
      ...runs.flatMap((run, i): Column<string>[] => [
        { title: run.name, text: true, wide: true, value: (kind) => shares.get(kind)![i]?.busy ?? null, show: (kind) => (shares.get(kind)![i] ? shareBar(shares.get(kind)![i]!) : "–") },
        { title: "×", tip: "how many there are", value: (kind) => run.kinds.get(kind)?.length ?? 0 },
        { title: "busy", value: (kind) => shares.get(kind)![i]?.busy ?? null, show: (kind) => (shares.get(kind)![i] ? percent(shares.get(kind)![i]!.busy) : "–") },
      ]),
      { title: "spread", tip: "of the shares of busy cycles", value: spread, show: (kind) => only(kind) ?? percent(spread(kind)) },
    ],
    { name: "Accounts of units", sort: 1 + runs.length * 3, descending: true },
  );
}

// The first sentence: how many cycles the others take; where clocks differ, how long they take.
function headline(runs: Run[], frames: (Frame | null)[]): Node[] {
  const first = frames[0];
  if (!first) return [];
  return frames.slice(1).flatMap((other, i) => {
    if (!other) return [];
    const pair = [runs[0], runs[i + 1]];
    const timed = inTime(pair);
    const took = (run: Run, frame: Frame) => (timed ? frame.cycles / run.coreMhz() : frame.cycles);
    const share = took(pair[1], other) / took(pair[0], first) - 1;
    const [same, more, fewer, what] = timed ? ["as long as", "more", "less", "time"] : ["as many cycles as", "more", "fewer", "cycles"];
    const text = share === 0 ? `takes ${same}` : `takes ${percent(Math.abs(share))} ${share > 0 ? more : fewer} ${what} than`;
    const told = (run: Run, frame: Frame) => (timed ? `${fixed(frame.cycles / run.coreMhz() / 1000, 2)} ms (${number(frame.cycles)} cycles at ${run.coreMhz()} MHz)` : number(frame.cycles));
    return [h("p", { class: "verdict" }, h("strong", {}, pair[1].name), ` ${text} ${pair[0].name}: ${told(pair[1], other)} against ${told(pair[0], first)}.`)];
  });
}

// Less is better of time and of bytes; of cycles where clocks are equal. Of the rest there may be less because
// machines work otherwise: groups of more lanes issue fewer instructions.
const lessIsBetter = new Set(["bytes_read", "bytes_written"]);
function figureLines(runs: Run[], frames: (Frame | null)[]): Line[] {
  const all = frames.map((frame) => (frame ? figures(frame) : null));
  const lines: Line[] = all.find((one) => one !== null)!.map((figure, k) => {
    const widths = runs.map((run) => run.groupLanes());
    const of = figure.name === "instructions" && new Set(widths).size > 1 ? `, groups of ${widths.map((lanes) => lanes || "?").join(" against ")} lanes` : "";
    const judged = lessIsBetter.has(figure.name) || (figure.name === "cycles" && !clocksDiffer(runs));
    return { name: figure.title + of, group: "", values: all.map((one) => one?.[k].value ?? null), judged };
  });
  if (inTime(runs)) lines.push({ name: "time, µs", group: "", values: frames.map((frame, i) => duration(runs, i, frame?.cycles ?? null)), judged: true });
  return lines;
}

export const compare: View = {
  id: "compare",
  title: "Compare",
  shown: (runs) => runs.length > 1,
  render: ({ runs, frame }) => {
    const same = runs.map((run) => run.frames.find((other) => other.number === frame.number) ?? null);
    const frameNumbers = [...new Set(runs.flatMap((run) => run.frames.map((one) => one.number)))].sort((a, b) => a - b);
    const bySize = (lines: Line[]) => lines.sort((a, b) => (size(a) === size(b) ? 0 : size(b) - size(a)));
    const time = inTime(runs) ? "µs" : "cycles";
    const binds = bindTable(runs, same);
    const hashes = new Set(same.flatMap((one) => (one ? [one.data.totals.memory_hash[0]] : [])));
    const captures = new Set(runs.map((run) => run.meta.get("capture")));
    const draws = drawLines(runs, same);
    const byCycles = draws.sort((a, b) => spreadOf(b) - spreadOf(a));
    return [
      captures.size > 1 && h("p", { class: "warning" }, "The runs are of different captures: frames and draws are matched by number all the same."),
      ...headline(runs, same),
      h("p", { class: "note" }, `Changes are against ${runs[0].name}. Frame ${frame.number}: memory after it is ${hashes.size > 1 ? "NOT equal in all runs." : "equal in all runs."}`),
      h("h2", {}, "Figures of the frame"),
      table(bySize(figureLines(runs, same)), columns(runs, "figure"), { name: "Figures of the frame" }),
      binds && h("h2", {}, "What binds: shares of the probes"),
      binds,
      h("h2", {}, "Parameters that differ"),
      parameterTable(runs),
      h("h2", {}, "Pictures"),
      h("div", { class: "columns sides" }, ...same.map((one, i) => h("figure", { class: "side" }, h("figcaption", {}, h("h3", {}, runs[i].name), h("p", { class: "note" }, runs[i].data.path)), one ? picture(one) : h("p", {}, "It has no such frame.")))),
      h("h2", {}, "Units"),
      unitTable(runs, same),
      h("h2", {}, "All counters, by change"),
      table(bySize(totals(same)), columns(runs, "counter"), { name: "All counters", filter: true, height: 420 }),
      frameNumbers.length > 1 && h("h2", {}, "Frames"),
      frameNumbers.length > 1 &&
        table(
          frameNumbers.map((one) => ({ name: `frame ${one}`, group: "", values: runs.map((run, i) => duration(runs, i, run.frames.find((other) => other.number === one)?.cycles ?? null)), judged: true })),
          columns(runs, time),
          { name: "Cycles of frames", height: 300 },
        ),
      h("h2", {}, `Draws, by how much their marginal ${inTime(runs) ? "time in µs differs" : "cycles differ"}`),
      table(byCycles, [...columns(runs, "draw"), { title: "difference", tip: `${time}, the largest less the smallest; what a run does not have is 0`, value: spreadOf }], { name: "Draws side by side", filter: true, height: 520 }),
    ].filter((node) => node !== false && node !== null);
  },
};

function spreadOf(line: Line): number {
  const values = line.values.map((value) => value ?? 0);
  return Math.max(...values) - Math.min(...values);
}
