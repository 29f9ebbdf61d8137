import { ChartGroup } from "./charts";
import { details } from "./details";
import { bytes, h, number, percent } from "./dom";
import { Frame, ratio } from "./model";
import { type Column, table } from "./table";
import { timeline } from "./timeline";
import type { Context, View } from "./view";

// Columns of what was counted for each piece of work.
function counted(frame: Frame): Column<number>[] {
  const column = (title: string, tip: string, counters: number[], show?: (value: number) => string): Column<number>[] => {
    if (!counters.some((counter) => frame.total(counter) > 0)) return [];
    const values = frame.forWork(counters);
    return [{ title, tip, value: (work) => values[work], ...(show ? { show: (work: number) => show(values[work]) } : {}) }];
  };
  const { run } = frame;
  const clients = run.clients();
  const present = (numbers: (number | undefined)[]) => numbers.filter((one) => one !== undefined);
  return [
    ...column("primitives", "made by primitive assembly", run.countersNamed("primitives", "primitive assembly")),
    ...column("generated", "fragments generated", run.countersNamed("fragments", "fragment generation")),
    ...column("killed HZ", "fragments in tiles that hierarchical Z rejected", run.countersNamed("fragments_rejected", "hierarchical z")),
    ...column("killed Z", "fragments that failed the early test of depth and stencil", run.countersNamed("fragments_failed", "z stencil")),
    ...column("written", "samples written, once for each target", run.countersNamed("fragments", "color write")),
    ...column("instructions", "issued, one for each group", run.countersNamed("instructions")),
    ...column("texture quads", "texture instructions, one for each quad", run.countersNamed("quads", "texture")),
    ...column("read", "bytes read from memory for it", present(clients.map((client) => client.read)), bytes),
    ...column("written to memory", "bytes written to memory for it", present(clients.map((client) => client.write)), bytes),
  ];
}

// Of the lines that it asked texture caches for.
function footprint(frame: Frame): Column<number>[] {
  const { texture_footprint: all, texture_cache_footprint: most } = frame.data.work;
  if (!all.some((value) => value > 0)) return [];
  return [
    { title: "texture footprint", tip: "bytes of lines that it asked texture caches for, each line once", value: (i) => all[i], show: (i) => (all[i] ? bytes(all[i]) : "") },
    { title: "in one cache", tip: "the same in the cache that it asked for most of them", value: (i) => most[i], show: (i) => (most[i] ? bytes(most[i]) : "") },
  ];
}

// What held the machine up in its marginal cycles.
function causes(frame: Frame): Column<number>[] {
  const most = frame.causesOfWork().map((causes) => causes[0]);
  return [
    {
      title: "held up by",
      text: true,
      tip: "what held the machine up most in its marginal cycles, and the share of the probes that found it",
      value: (i) => most[i]?.words ?? null,
      show: (i) => (most[i] ? `${most[i].words} ${percent(most[i].share, 0)}` : ""),
    },
  ];
}

function columns(frame: Frame): Column<number>[] {
  const { work } = frame.data;
  return [
    { title: "#", tip: "the order in which it began", value: (i) => i },
    { title: "what", text: true, wide: true, tip: "debug label, draw or packet", value: (i) => frame.workLabel(i) },
    { title: "kind", text: true, value: (i) => (work.of_driver[i] ? `driver's ${work.kind[i]}` : work.kind[i]) },
    { title: "pass", value: (i) => work.pass[i] },
    { title: "vertices", value: (i) => work.vertices[i], show: (i) => (work.vertices[i] === null ? "" : number(work.vertices[i])) },
    {
      title: "marginal",
      tip: "cycles from the end of what ended before it to its own end: they sum to the frame's",
      value: (i) => work.marginal_cycles[i],
    },
    {
      title: "share",
      tip: "marginal cycles, of the frame's",
      value: (i) => ratio(work.marginal_cycles[i], frame.cycles),
      show: (i) => percent(ratio(work.marginal_cycles[i], frame.cycles), 2),
    },
    { title: "occupied", tip: "cycles from when it was sent off to its end; those of draws side by side overlap", value: (i) => work.occupied_cycles[i] },
    { title: "began", value: (i) => work.began[i] },
    ...footprint(frame),
    ...causes(frame),
    ...counted(frame),
  ];
}

export const draws: View = {
  id: "draws",
  title: "Draws",
  render: (context: Context) => {
    const { frame } = context;
    const group = new ChartGroup(frame.cycles);
    const panel = h("section", { class: "details", "aria-live": "polite", "aria-label": "The chosen draw" });
    let chosen = context.place.work;
    if (chosen !== null && !(chosen < frame.data.work.work.length)) chosen = null;
    const strip = timeline(group, { ...context, go: (change) => show(change.work ?? null, true) }, () => chosen);
    function show(work: number | null, fromOutside = false) {
      chosen = work;
      context.keep({ work });
      panel.replaceChildren(...(work === null ? [h("p", { class: "note" }, "Choose a draw: its state, programs and figures stand here.")] : details(context, work)));
      strip.redraw?.();
      if (fromOutside) list.refresh();
    }
    const list = table(frame.data.work.work, columns(frame), {
      name: "Draws and other work",
      sort: 0,
      filter: true,
      height: 380,
      selected: (work) => work === chosen,
      select: (work) => show(work),
    });
    show(chosen);
    requestAnimationFrame(() => list.refresh()); // once it has a place
    return [group.controls(), strip, h("div", {}, list), panel];
  },
};
