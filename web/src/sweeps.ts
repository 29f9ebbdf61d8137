// Views of sweeps: all points with plots, and two sweeps side by side.
import { fixed, h, milliseconds, number, percent } from "./dom";
import { machinesOf, matched, type MachineMean, type Sweep } from "./sweep_model";
import { type Column, table } from "./table";

export interface SweepView {
  id: string;
  title: string;
  shown: (sweeps: Sweep[]) => boolean;
  render: (sweeps: Sweep[], sweep: Sweep) => Node[];
}

const timeTip = "that the cycles take at the machine's core clock";

function pointTable(sweep: Sweep): HTMLElement {
  const fastest = new Map<string, number>();
  for (const point of sweep.points) fastest.set(sweep.frame(point), Math.min(fastest.get(sweep.frame(point)) ?? Infinity, sweep.milliseconds(point)));
  const slower = (point: number) => sweep.milliseconds(point) / Math.max(1e-12, fastest.get(sweep.frame(point))!) - 1;
  const columns: Column<number>[] = [
    ...(sweep.several("gpu") || !sweep.parameters.length ? [{ title: "gpu", text: true, value: (point: number) => String(sweep.value("gpu", point)) }] : []),
    ...sweep.parameters.map((one): Column<number> => ({ title: one.name, text: typeof one.values.find((value) => value !== null) === "string", tip: "parameter", value: (point) => one.values[point], show: (point) => String(one.values[point] ?? "–") })),
    ...(sweep.several("capture") ? [{ title: "capture", text: true, value: (point: number) => sweep.capture(point) }] : []),
    { title: "frame", value: (point) => sweep.number("frame", point) },
    { title: "time", tip: timeTip, value: (point) => sweep.milliseconds(point), show: (point) => milliseconds(sweep.milliseconds(point)) },
    { title: "against the fastest", tip: "of the points of the same frame", value: slower, show: (point) => (slower(point) === 0 ? "fastest" : `+${percent(slower(point))}`) },
    ...sweep.figures.filter((one) => one.name !== "nanoseconds").map((one): Column<number> => ({ title: one.name.replace(/_/g, " "), tip: `${one.unit}: ${one.meaning}`, value: (point) => one.values[point] })),
    { title: "point", tip: "its place in the sweep's file", value: (point) => sweep.number("number", point) },
  ];
  return table(sweep.points, columns, { name: "Points of the sweep", filter: true, height: 560 });
}

// Means over frames, of machines that have all frames; the others say what they lack and come last.
function machineTable(sweep: Sweep): HTMLElement[] {
  const { machines, frames } = machinesOf(sweep);
  if (frames < 2 || machines.length < 2) return [];
  const whole = machines.filter((one) => one.lacks === 0);
  const mean = (one: MachineMean) => one.points.reduce((sum, point) => sum + sweep.milliseconds(point), 0) / one.points.length;
  const best = Math.min(...whole.map(mean));
  const lacking = machines.length - whole.length;
  return [
    h("h2", {}, "Machines, over their frames"),
    lacking > 0
      ? h("p", { class: "warning" }, `${number(lacking)} of ${number(machines.length)} machines lack some of the ${number(frames)} frames (they were not drawn for the sample, or failed): means over other frames cannot be held against each other, so none is given for them.`)
      : h("p", { class: "note" }, `Means over the same ${number(frames)} frames of each machine.`),
    table(
      machines,
      [
        { title: "machine", text: true, wide: true, value: (one) => one.machine },
        { title: "frames", tip: "that it has of all frames of the sweep", value: (one) => frames - one.lacks, show: (one) => `${number(frames - one.lacks)} of ${number(frames)}` },
        { title: "mean time", tip: `${timeTip}, over all frames`, value: (one) => (one.lacks ? null : mean(one)), show: (one) => (one.lacks ? "other frames" : milliseconds(mean(one))) },
        { title: "against the fastest", value: (one) => (one.lacks ? null : mean(one) / best - 1), show: (one) => (one.lacks ? "–" : mean(one) === best ? "fastest" : `+${percent(mean(one) / best - 1)}`) },
      ],
      { name: "Machines of the sweep", sort: 2, height: 400, filter: machines.length > 14 },
    ),
  ];
}

const sweepView: SweepView = {
  id: "sweep",
  title: "Sweep",
  shown: () => true,
  render: (_, sweep) => [
    h("p", { class: "note" }, `${number(sweep.points.length)} points with a result; hash of the results ${sweep.data.results}; ${sweep.data.path}`),
    ...sweep.data.notes.map((note) => h("p", { class: "remark" }, note)),
    h("div", { class: "plots" }, sweep.data.plots.map((svg, i) => h("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, alt: `Plot ${i + 1} of the sweep` }))),
    h("h2", {}, "Points"),
    pointTable(sweep),
    ...machineTable(sweep),
  ],
};

const compareView: SweepView = {
  id: "sweeps",
  title: "Compare sweeps",
  shown: (sweeps) => sweeps.length > 1,
  render: (sweeps, sweep) => {
    const other = sweeps.find((one) => one !== sweep)!;
    const [first, second] = sweep.index < other.index ? [sweep, other] : [other, sweep];
    const { pairs, left } = matched(first, second);
    const change = ([a, b]: [number, number]) => second.milliseconds(b) / Math.max(1e-12, first.milliseconds(a)) - 1;
    const logs = pairs.map((pair) => Math.log(Math.max(1e-12, change(pair) + 1)));
    const mean = pairs.length ? Math.exp(logs.reduce((sum, one) => sum + one, 0) / pairs.length) - 1 : 0;
    const signed = (share: number) => h("span", { class: share > 0 ? "more" : share < 0 ? "less" : undefined }, share === 0 ? "=" : `${share > 0 ? "+" : "−"}${percent(Math.abs(share))}`);
    const without = left[0] || left[1] ? ` Without a partner: ${number(left[0])} of ${first.name}, ${number(left[1])} of ${second.name}.` : "";
    return [
      h("p", { class: "verdict" }, h("strong", {}, second.name), pairs.length ? [Math.abs(mean) < 5e-4 ? " takes as long as " : ` takes ${fixed(Math.abs(mean) * 100, 1)} % ${mean > 0 ? "more" : "less"} time than `, first.name, `: geometric mean over ${number(pairs.length)} pairs of points with the same frame and parameters.`] : [" has no point with the frame and parameters of one of ", first.name, "."]),
      h("p", { class: "note" }, `Times are at each machine's clock.${without}`),
      table(
        pairs,
        [
          { title: "point", text: true, wide: true, value: ([a]) => `${first.frame(a)}: ${first.machine(a)}` },
          { title: first.name, tip: timeTip, value: ([a]) => first.milliseconds(a), show: ([a]) => milliseconds(first.milliseconds(a)) },
          { title: second.name, tip: timeTip, value: ([, b]) => second.milliseconds(b), show: ([, b]) => milliseconds(second.milliseconds(b)) },
          { title: "change", tip: "of the time", value: change, show: (pair) => signed(change(pair)) },
          { title: "cycles", tip: `of ${first.name}`, value: ([a]) => first.number("cycles", a) },
          { title: "cycles then", tip: `of ${second.name}`, value: ([, b]) => second.number("cycles", b) },
          { title: "bytes", tip: "read and written, change", value: ([a, b]) => bytesChange(first, a, second, b), show: ([a, b]) => signed(bytesChange(first, a, second, b)) },
        ],
        { name: "Points of both sweeps", filter: true, sort: 3, height: 560 },
      ),
    ];
  },
};

function bytesChange(first: Sweep, a: number, second: Sweep, b: number): number {
  const bytes = (sweep: Sweep, point: number) => sweep.number("bytes_read", point) + sweep.number("bytes_written", point);
  return bytes(second, b) / Math.max(1, bytes(first, a)) - 1;
}

export const sweepViews: SweepView[] = [sweepView, compareView];
