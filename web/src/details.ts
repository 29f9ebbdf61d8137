// All that is known of one piece of work.
import { accountLegend, shareBar } from "./bars";
import { stages, type Surface } from "./data";
import { h, number, percent } from "./dom";
import { drawPictures } from "./draw_pictures";
import { accountOf, Frame, kindOf, ratio, shareOf, sum } from "./model";
import { programView } from "./programs";
import { table } from "./table";
import type { Context } from "./view";

const text = (value: unknown): string =>
  typeof value === "boolean" ? (value ? "yes" : "no") : Array.isArray(value) ? value.map(text).join(", ") || "none" : typeof value === "object" && value !== null ? Object.entries(value).map(([k, v]) => `${k} ${text(v)}`).join(", ") : String(value);

function facts(frame: Frame, i: number): [string, string][] {
  const { work } = frame.data;
  return [
    ["packet", work.packet[i]],
    ["submission", String(work.submission[i])],
    ["pass", `${work.pass[i]}: ${frame.passLabel(work.pass[i])}`],
    ["label", work.label[i] ?? ""],
    ["vertices", work.vertices[i] === null ? "" : `${number(work.vertices[i])}${(work.instances[i] ?? 1) > 1 ? ` × ${number(work.instances[i]!)} instances` : ""}`],
    ["cycles", `${number(work.began[i])} to ${number(work.ended[i])}`],
    ["marginal", `${number(work.marginal_cycles[i])} (${percent(ratio(work.marginal_cycles[i], frame.cycles), 2)} of the frame)`],
    ["occupied", number(work.occupied_cycles[i])],
  ];
}

const list = (rows: [string, string][]): HTMLElement =>
  h("dl", { class: "facts" }, rows.filter(([, value]) => value !== "").flatMap(([name, value]) => [h("dt", {}, name.replace(/_/g, " ")), h("dd", {}, value)]));

function surfaces(rows: { use: string; surface: Surface }[], name: string): HTMLElement {
  const of = (surface: Surface, key: string) => (surface[key] === undefined || surface[key] === null ? "" : text(surface[key]));
  const size = (s: Surface) => [`${text(s.width ?? "?")} × ${text(s.height ?? "?")}`, s.levels && s.levels > 1 ? `${s.levels} levels` : "", s.layers && s.layers > 1 ? `${s.layers} layers` : "", s.samples && s.samples > 1 ? `${s.samples} samples` : ""].filter(Boolean).join(", ");
  return table(
    rows,
    [
      { title: "use", text: true, value: (row) => row.use },
      ...(rows.some((row) => row.surface.name) ? [{ title: "name", text: true, value: (row: (typeof rows)[0]) => of(row.surface, "name") }] : []),
      { title: "format", text: true, value: (row) => of(row.surface, "format") },
      { title: "size", text: true, value: (row) => size(row.surface) },
      { title: "address", text: true, value: (row) => of(row.surface, "address") },
    ],
    { name, empty: "none" },
  );
}

function bufferTable(rows: Surface[]): HTMLElement {
  const of = (row: Surface, name: string) => text(row[name] ?? "");
  return table(
    rows,
    [
      { title: "use", text: true, value: (row) => [row.use === "program" ? of(row, "stage") : of(row, "use"), of(row, "binding")].filter((word) => word).join(" ") },
      ...(rows.some((row) => row.name) ? [{ title: "name", text: true, value: (row: Surface) => of(row, "name") }] : []),
      { title: "bytes", value: (row) => (typeof row.bytes === "number" ? row.bytes : null) },
      { title: "address", text: true, value: (row) => of(row, "address") },
    ],
    { name: "Buffers", empty: "none" },
  );
}

// What stands in a run may be of any shape.
const isObject = (value: unknown): value is Surface => typeof value === "object" && value !== null && !Array.isArray(value);
const objects = (value: unknown): Surface[] => (Array.isArray(value) ? value.filter(isObject) : []);

function stateOf(frame: Frame, state: number): Node[] {
  const { states } = frame.data;
  const targets = states.targets[state],
    textures = states.textures[state],
    buffers = objects(states.buffers[state]),
    settings = states.settings[state];
  const rows: { use: string; surface: Surface }[] = (Array.isArray(targets?.color) ? targets.color : []).flatMap((surface, i) => (isObject(surface) ? [{ use: `color ${i}`, surface }] : []));
  if (isObject(targets?.depth)) rows.push({ use: "depth, stencil", surface: targets.depth });
  return [
    h(
      "div",
      {},
      h("h4", {}, "State"),
      list([
        ["topology", states.topology[state]],
        ["framebuffer", `${states.width[state]} × ${states.height[state]}, ${states.samples[state]} sample${states.samples[state] === 1 ? "" : "s"} a pixel`],
        ...Object.entries(isObject(settings) ? settings : {}).map(([name, value]): [string, string] => [name, text(value)]),
      ]),
    ),
    h(
      "div",
      {},
      h("h4", {}, "Targets"),
      surfaces(rows, "Targets"),
      h("h4", {}, "Textures"),
      surfaces(objects(textures).map((surface) => ({ use: `${text(surface.stage ?? "")} ${text(surface.binding ?? "")}`, surface })), "Textures"),
      h("h4", {}, "Buffers"),
      bufferTable(buffers),
    ),
  ];
}

// What units did for the work, and what all did in its marginal cycles, by kind of unit.
function accountTable(frame: Frame, work: number): HTMLElement {
  const rows = new Map<string, { own: Record<string, number>; meanwhile: Record<string, number> }>();
  const { unit, name } = frame.run.data.counters;
  for (const { counter, own, meanwhile } of frame.ofWork(work)) {
    const account = accountOf(name[counter]);
    if (!account || !frame.run.data.units.includes(unit[counter])) continue;
    const kind = kindOf(unit[counter]);
    if (!rows.has(kind)) rows.set(kind, { own: {}, meanwhile: {} });
    const row = rows.get(kind)!;
    row.own[account] = (row.own[account] ?? 0) + own;
    row.meanwhile[account] = (row.meanwhile[account] ?? 0) + meanwhile;
  }
  const kinds = [...frame.run.kinds.keys()].filter((kind) => rows.has(kind)).map((kind) => ({ kind, units: frame.run.kinds.get(kind)!.length, ...rows.get(kind)! }));
  type Row = (typeof kinds)[number];
  const busy = (which: "own" | "meanwhile") => ({ title: "busy", value: (row: Row) => row[which].busy ?? 0 });
  const all = (row: Row) => sum(Object.values(row.own));
  const bar = (which: "own" | "meanwhile") => (row: Row) => shareBar(shareOf((account) => row[which][account] ?? 0));
  return table(
    kinds,
    [
      { title: "units", text: true, value: (row) => row.kind, show: (row) => (row.units > 1 ? `${row.kind} ×${row.units}` : row.kind) },
      { title: "for it", text: true, wide: true, tip: "where the cycles went that units spent on it", value: () => null, show: bar("own") },
      { title: "cycles", tip: "of units, that were spent on it", value: all },
      busy("own"),
      { title: "meanwhile", text: true, wide: true, tip: "what units did in its marginal cycles, for whatever work", value: () => null, show: bar("meanwhile") },
      busy("meanwhile"),
    ],
    { name: "Units, by what they did for it and meanwhile" },
  );
}

function counterTable(frame: Frame, work: number): HTMLElement {
  const { counters } = frame.run.data;
  const rows = frame.ofWork(work);
  return table(
    rows,
    [
      { title: "counter", text: true, wide: true, value: (row) => frame.run.counterLabel(row.counter) },
      { title: "own", tip: "counted for it", value: (row) => row.own },
      { title: "meanwhile", tip: "counted in its marginal cycles, for whatever work", value: (row) => row.meanwhile },
      { title: "counts", text: true, value: (row) => counters.counts[row.counter] },
      { title: "meaning", text: true, long: true, value: (row) => counters.meaning[row.counter] },
    ],
    { name: "Counters of it", filter: true, height: 320, sort: 1, descending: true },
  );
}

function causeText(frame: Frame, work: number): Node | null {
  const causes = frame.causesOfWork()[work];
  if (!causes.length) return null;
  const text = causes.slice(0, 6).map(({ words, share }) => `${words} ${percent(share)}`);
  return h("p", {}, h("strong", {}, "Held up, in its marginal cycles, by: "), text.join(", "));
}

// To the next draw, or the one before.
function step(context: Context, i: number, by: 1 | -1): HTMLElement {
  const { kind } = context.frame.data.work;
  let to = i + by;
  while (to >= 0 && to < kind.length && kind[to] !== "draw") to += by;
  return h("button", { type: "button", disabled: to < 0 || to >= kind.length, onclick: () => context.go({ work: to }) }, by > 0 ? "Next draw" : "Draw before");
}

export function details(context: Context, i: number): Node[] {
  const { frame } = context;
  const { work, states } = frame.data;
  const state = work.state[i];
  const nameOf = (address: string) => {
    const { address: all, name } = frame.run.data.programs;
    const found = name[all.indexOf(address)];
    return found ? `, ${found}` : "";
  };
  const programs = state === null ? [] : stages.map((stage) => ({ stage, address: states[`${stage}_program`][state] })).filter(({ address }) => address !== "0x0");
  return [
    h(
      "div",
      { class: "tools" },
      h("h2", {}, `${i}: ${frame.workLabel(i)}`),
      step(context, i, -1),
      step(context, i, 1),
      h("button", { type: "button", onclick: () => context.go({ view: "machine", work: i }) }, "Show in the machine"),
    ),
    ...drawPictures(context, i),
    h("div", { class: "columns state" }, h("div", {}, h("h4", {}, "Work"), list(facts(frame, i))), state === null ? [] : stateOf(frame, state)),
    ...programs.flatMap(({ stage, address }) => [h("h4", {}, `${stage[0].toUpperCase()}${stage.slice(1).replace("_", " ")} program ${address}${nameOf(address)}`), programView(frame, address, stage, i)]),
    causeText(frame, i),
    h("h4", {}, "Units"),
    accountLegend(),
    accountTable(frame, i),
    h("h4", {}, "Counters"),
    counterTable(frame, i),
  ].filter((node) => node !== null);
}
