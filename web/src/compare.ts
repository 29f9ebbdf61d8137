// Runs side by side, what differs first. The first run is what others are held against.
import { shareBar } from "./bars";
import { h, number, percent } from "./dom";
import { figures, picture } from "./overview";
import { accountOf, type Frame, kindOf, type Run } from "./model";
import { type Column, table } from "./table";
import type { View } from "./view";

interface Line {
  name: string;
  group: string;
  values: (number | null)[]; // one for each run
}

const change = (line: Line, i: number): number | null => {
  const [first] = line.values,
    other = line.values[i];
  if (first === null || other === null) return null;
  return first === other ? 0 : first === 0 ? Infinity : other / first - 1;
};
const size = (line: Line): number => Math.max(0, ...line.values.slice(1).map((_, i) => Math.abs(change(line, i + 1) ?? 0)));
const signed = (share: number | null): Node | string => {
  if (share === null) return "–";
  if (share === 0) return "=";
  const text = Number.isFinite(share) ? `${share > 0 ? "+" : "−"}${percent(Math.abs(share))}` : "from 0";
  return h("span", { class: share > 0 ? "more" : "less" }, text);
};

function columns(runs: Run[], name: string): Column<Line>[] {
  return [
    { title: name, text: true, wide: true, value: (line) => line.name },
    ...runs.flatMap((run, i): Column<Line>[] => [
      { title: run.name, value: (line) => line.values[i], show: (line) => (line.values[i] === null ? "–" : number(line.values[i]!)) },
      ...(i > 0 ? [{ title: "change", tip: `against ${runs[0].name}`, value: (line: Line) => change(line, i), show: (line: Line) => signed(change(line, i)) }] : []),
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

function drawLines(frames: (Frame | null)[]): Line[] {
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
      if (!lines.has(key)) lines.set(key, { name: `${k}: ${frame.workLabel(k)}`, group: work.kind[k], values: frames.map(() => null) });
      lines.get(key)!.values[i] = work.marginal_cycles[k];
    });
  });
  return [...lines.values()];
}

function parameterTable(runs: Run[]): HTMLElement {
  const paths = [...new Set(runs.flatMap((run) => [...run.parameters.keys()]))].sort();
  const rows = paths.filter((path) => new Set(runs.map((run) => run.parameters.get(path))).size > 1);
  return table(
    rows,
    [{ title: "parameter", text: true, value: (path) => path }, ...runs.map((run) => ({ title: run.name, text: true, value: (path: string) => run.parameters.get(path) ?? "–" }))],
    { name: "Parameters that differ", height: 360, filter: rows.length > 14, empty: "All parameters are equal." },
  );
}

function unitTable(runs: Run[], frames: (Frame | null)[]): HTMLElement {
  const kinds = [...new Set(runs.flatMap((run) => [...run.kinds.keys()]))];
  const shares = new Map(kinds.map((kind) => [kind, frames.map((frame) => (frame && frame.run.kinds.has(kind) ? frame.shares(frame.run.kinds.get(kind)!) : null))]));
  const spread = (kind: string) => {
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
      { title: "spread", tip: "of the shares of busy cycles", value: spread, show: (kind) => percent(spread(kind)) },
    ],
    { name: "Accounts of units", sort: 1 + runs.length * 3, descending: true },
  );
}

// The first sentence: how many cycles the others take.
function headline(runs: Run[], frames: (Frame | null)[]): Node[] {
  const first = frames[0];
  if (!first) return [];
  return frames.slice(1).flatMap((other, i) => {
    if (!other) return [];
    const share = other.cycles / first.cycles - 1;
    const text = share === 0 ? "takes as many cycles as" : `takes ${percent(Math.abs(share))} ${share > 0 ? "more" : "fewer"} cycles than`;
    return [h("p", { class: "verdict" }, h("strong", {}, runs[i + 1].name), ` ${text} ${runs[0].name}: ${number(other.cycles)} against ${number(first.cycles)}.`)];
  });
}

export const compare: View = {
  id: "compare",
  title: "Compare",
  shown: (runs) => runs.length > 1,
  render: ({ runs, frame }) => {
    const same = runs.map((run) => run.frames.find((other) => other.number === frame.number) ?? null);
    const frameNumbers = [...new Set(runs.flatMap((run) => run.frames.map((one) => one.number)))].sort((a, b) => a - b);
    const headlines = same.map((one) => (one ? figures(one) : null));
    const model = headlines.find((one) => one !== null)!;
    const bySize = (lines: Line[]) => lines.sort((a, b) => size(b) - size(a));
    const figureLines = bySize(model.map((figure, k) => ({ name: figure.title, group: "", values: headlines.map((one) => one?.[k].value ?? null) })));
    const hashes = new Set(same.flatMap((one) => (one ? [one.data.totals.memory_hash[0]] : [])));
    const captures = new Set(runs.map((run) => run.meta.get("capture")));
    const draws = drawLines(same);
    const byCycles = draws.sort((a, b) => spreadOf(b) - spreadOf(a));
    return [
      captures.size > 1 && h("p", { class: "warning" }, "The runs are of different captures: frames and draws are matched by number all the same."),
      ...headline(runs, same),
      h("p", { class: "note" }, `Changes are against ${runs[0].name}. Frame ${frame.number}: memory after it is ${hashes.size > 1 ? "NOT equal in all runs." : "equal in all runs."}`),
      h("h2", {}, "Figures of the frame"),
      table(figureLines, columns(runs, "figure"), { name: "Figures of the frame" }),
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
          frameNumbers.map((one) => ({ name: `frame ${one}`, group: "", values: runs.map((run) => run.frames.find((other) => other.number === one)?.cycles ?? null) })),
          columns(runs, "cycles"),
          { name: "Cycles of frames", height: 300 },
        ),
      h("h2", {}, "Draws, by marginal cycles that differ"),
      table(byCycles, [...columns(runs, "draw"), { title: "difference", tip: "cycles, the largest less the smallest", value: spreadOf }], { name: "Draws side by side", filter: true, height: 520 }),
    ].filter((node) => node !== false);
  },
};

function spreadOf(line: Line): number {
  const values = line.values.filter((value) => value !== null);
  return Math.max(...values) - Math.min(...values);
}
