// Charts over the cycles of a frame, drawn by uPlot; those of a group share cursor and zoom.
import uPlot from "uplot";
import { brief, h } from "./dom";
import { nothing } from "./model";

export interface Series {
  label: string;
  color: string;
  values: (number | null)[]; // one for each interval; null: nothing to tell
  hidden?: boolean;
}

export interface ChartOptions {
  title: string;
  note?: string;
  began: number[];
  ended: number[];
  series: Series[];
  stacked?: boolean;
  percent?: boolean; // values are shares
  unit?: string;
  height?: number;
  top?: number; // least upper end of the y axis
}

export const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
export const palette = (i: number): string => color(`series-${(i % 12) + 1}`);

// One color for each kind of unit, in all charts of the page. Kinds that hold machines up most have the colors that
// differ most; what is no kind that was ranked comes after them, in the order in which it is asked for.
const colorPlaces = new Map<string, number>();
const kindColors = 24,
  grey = 8; // of what is no unit
export function rankKinds(kinds: string[]) {
  colorPlaces.clear();
  for (const kind of kinds) placeOfKind(kind);
}
function placeOfKind(kind: string): number {
  if (!colorPlaces.has(kind)) colorPlaces.set(kind, colorPlaces.size % (kindColors - 1));
  return colorPlaces.get(kind)!;
}
export function kindColor(kind: string): string {
  if (kind === nothing) return color(`series-${grey + 1}`);
  const place = placeOfKind(kind);
  return color(`series-${place + (place >= grey ? 2 : 1)}`);
}
// Lines of one color in a chart are told apart by how they are broken.
const dashes = [[], [7, 3], [2, 3], [9, 3, 2, 3]];
function dashesOf(series: Series[]): number[][] {
  const seen = new Map<string, number>();
  return series.map((one) => {
    const before = seen.get(one.color) ?? 0;
    seen.set(one.color, before + 1);
    return dashes[before % dashes.length];
  });
}

// Charts with the same x axis.
export class ChartGroup {
  private readonly plots: uPlot[] = [];
  private readonly key = uPlot.sync(`group ${groups++}`);
  private moving = false;
  private readonly watch: ((from: number, to: number) => void)[] = [];
  constructor(readonly cycles: number) {}

  hooks(): uPlot.Hooks.Arrays {
    return {
      init: [(plot) => void (this.plots.push(plot), this.key.sub(plot))],
      setScale: [
        (plot, scale) => {
          if (scale !== "x" || this.moving) return;
          this.zoom(plot.scales.x.min ?? 0, plot.scales.x.max ?? this.cycles, plot);
        },
      ],
    };
  }
  cursor(): uPlot.Cursor {
    return { sync: { key: this.key.key, setSeries: false }, drag: { x: true, y: false, setScale: true }, points: { size: 6 } };
  }
  onZoom(call: (from: number, to: number) => void) {
    this.watch.push(call);
  }
  range(): [number, number] {
    const x = this.plots[0]?.scales.x;
    return [x?.min ?? 0, x?.max ?? this.cycles];
  }
  zoom(min: number, max: number, from?: uPlot) {
    this.moving = true;
    for (const plot of this.plots)
      if (plot !== from && (plot.scales.x.min !== min || plot.scales.x.max !== max)) plot.setScale("x", { min, max });
    this.moving = false;
    for (const call of this.watch) call(min, max);
  }
  // By a share of what is seen: shift 0.5 goes half a page to the right, scale 0.5 shows half of it.
  move(shift: number, scale: number) {
    const [min, max] = this.range();
    const width = Math.min(this.cycles, Math.max((max - min) * scale, this.cycles / 1e5));
    const middle = (min + max) / 2 + shift * (max - min);
    const left = Math.min(Math.max(0, middle - width / 2), this.cycles - width);
    this.zoom(left, left + width);
  }
  controls(): HTMLElement {
    const button = (label: string, name: string, act: () => void) =>
      h("button", { type: "button", title: name, "aria-label": name, onclick: act }, label);
    const text = h("span", { class: "count" });
    this.onZoom((from, to) => (text.textContent = `cycles ${brief(from)} to ${brief(to)}`));
    text.textContent = `cycles 0 to ${brief(this.cycles)}`;
    return h(
      "div",
      { class: "tools zoom", role: "toolbar", "aria-label": "Zoom" },
      button("−", "Show more", () => this.move(0, 2)),
      button("+", "Show less", () => this.move(0, 0.5)),
      button("←", "Earlier", () => this.move(-0.5, 1)),
      button("→", "Later", () => this.move(0.5, 1)),
      button("All", "The whole frame", () => this.zoom(0, this.cycles)),
      text,
      h("span", { class: "hint" }, "drag over a chart to zoom; double click shows all"),
    );
  }
}
let groups = 0;

export const axes = (values: (value: number) => string, left = 64): uPlot.Axis[] => {
  const common = {
    stroke: color("muted"),
    grid: { stroke: color("grid"), width: 1 },
    ticks: { stroke: color("grid"), width: 1 },
    font: "12px system-ui, sans-serif",
  };
  return [
    { ...common, values: (_, splits) => splits.map(brief), size: 32 },
    { ...common, values: (_, splits) => splits.map(values), size: left },
  ];
};

// Plots that are not drawn yet: their elements have no width before they are in the document.
const waiting = new Map<HTMLElement, () => void>();

// Puts a plot into an element once that has a width, and keeps it as wide.
export function mount(holder: HTMLElement, make: (width: number) => uPlot) {
  let plot: uPlot | undefined;
  const fit = () => {
    const width = Math.floor(holder.clientWidth);
    if (width < 50) return;
    waiting.delete(holder);
    if (!plot) holder.append((plot = make(width)).root);
    else if (plot.width !== width) plot.setSize({ width, height: plot.height });
  };
  waiting.set(holder, fit);
  new ResizeObserver(fit).observe(holder);
}

// Draws what is in the document now, at once: paper does not wait.
export function drawWaiting() {
  for (const [holder, fit] of [...waiting])
    if (holder.isConnected) fit();
    else waiting.delete(holder);
}

// A value for each interval, drawn as steps. The last stands once more at the end of the frame.
const steps = (values: (number | null)[]): (number | null)[] => [...values, values[values.length - 1] ?? null];

export function timeChart(group: ChartGroup, options: ChartOptions): HTMLElement {
  const format = options.percent
    ? (value: number) => `${+(value * 100).toFixed(1)} %`
    : (value: number) => `${brief(value)}${options.unit ? ` ${options.unit}` : ""}`;
  const x = [...options.began, options.ended[options.ended.length - 1] ?? 0];
  const raw = options.series.map((series) => steps(series.values));
  const broken = options.stacked ? [] : dashesOf(options.series);
  const holder = h("div", { class: "plot", tabindex: 0, role: "img", "aria-label": options.title });
  holder.addEventListener("keydown", (event) => {
    const moves: Record<string, [number, number]> = { "+": [0, 0.5], "-": [0, 2], ArrowLeft: [-0.25, 1], ArrowRight: [0.25, 1], "0": [0, 1e9] };
    const move = moves[event.key];
    if (!move) return;
    group.move(...move);
    event.preventDefault();
  });
  mount(holder, (width) => {
    const visible = options.series.map((series) => !series.hidden);
    // Stacked: each series is drawn at the sum of those below it and its own.
    const data = (): uPlot.AlignedData => {
      if (!options.stacked) return [x, ...raw];
      const total = x.map(() => 0);
      return [x, ...raw.map((values, k) => values.map((value, i) => (visible[k] ? (total[i] += value ?? 0) : total[i])))];
    };
    const paths = uPlot.paths.stepped!({ align: 1 });
    const bands = () =>
      options.stacked ? options.series.map((_, k) => ({ series: [k + 1, k] as [number, number] })).slice(1) : [];
    const plot: uPlot = new uPlot(
      {
        width,
        height: options.height ?? 200,
        scales: { x: { time: false }, y: { range: (_, __, max) => [0, options.percent ? Math.max(1, options.top ?? 0) : Math.max(max, options.top ?? 0) * 1.05 || 1] } },
        axes: axes(format),
        cursor: group.cursor(),
        bands: bands(),
        legend: { live: true },
        hooks: {
          ...group.hooks(),
          setSeries: [
            (_, k, change) => {
              if (!options.stacked || k === null || change.show === undefined) return;
              visible[k - 1] = change.show;
              plot.setData(data(), false);
              plot.redraw();
            },
          ],
        },
        series: [
          { label: "cycle", value: (_, value) => (value === null ? "–" : brief(value)) },
          ...options.series.map(
            (series, k): uPlot.Series => ({
              label: series.label,
              show: visible[k],
              stroke: series.color,
              ...(broken[k]?.length ? { dash: broken[k] } : {}),
              width: options.stacked ? 1 : 1.5,
              paths,
              points: { show: false },
              ...(options.stacked ? { fill: `${series.color}b0` } : {}),
              value: (_, __, ___, i) => (i === null || i === undefined || raw[k][i] === null ? "–" : format(raw[k][i])),
            }),
          ),
        ],
      },
      data(),
    );
    return plot;
  });
  return h("figure", { class: "chart" }, h("figcaption", {}, h("h3", {}, options.title), options.note && h("p", { class: "note" }, options.note)), holder);
}
