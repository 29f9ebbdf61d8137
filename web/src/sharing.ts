// Programs that shared the GPU: what each took together and alone, what bounds it, and who had the GPU when.
import type { FrameData, SharedProgram } from "./data";
import { brief, fixed, h, number, percent, svg } from "./dom";
import { palette } from "./charts";
import { type Frame, ratio, type Run, sum } from "./model";
import { table } from "./table";
import type { View } from "./view";

const rowHeight = 26,
  barHeight = 18;

// Stretches of a row, of which those merge that a screen cannot tell apart.
interface Stretch {
  began: number;
  ended: number;
  text: string;
}
export function merged(stretches: Stretch[], least: number, noun: string): Stretch[] {
  const result: Stretch[] = [];
  let count = 0;
  for (const one of stretches) {
    const last = result[result.length - 1];
    if (!last || one.began - last.ended > least) {
      result.push({ ...one });
      count = 1;
      continue;
    }
    count++;
    last.ended = Math.max(last.ended, one.ended);
    last.text = `${count} ${noun}, cycles ${number(last.began)} to ${number(last.ended)}`;
  }
  return result;
}

const rowsOf = (frame: FrameData, programs: SharedProgram[]): { name: string; color: string; noun: string; stretches: Stretch[] }[] => {
  const { turns, switches } = frame;
  const rows = programs.map((program, context) => ({
    name: `${context + 1}: ${program.name}`,
    color: palette(context),
    noun: "turns",
    stretches: turns.began.flatMap((began, i) =>
      turns.context[i] === context
        ? [{ began, ended: turns.ended[i], text: `submission ${turns.submission[i]}, ${turns.how[i]}: cycles ${number(began)} to ${number(turns.ended[i])}` }]
        : [],
    ),
  }));
  const between = switches.began.map((began, i) => ({
    began,
    ended: switches.ended[i],
    text: `to program ${switches.to_context[i] + 1}: ${number(switches.flush_cycles[i])} cycles to write caches back, ${number(switches.invalidate_cycles[i])} to empty them, ${number(switches.bind_cycles[i])} to bind memory clients`,
  }));
  return [...rows, { name: "switches", color: palette(6), noun: "switches", stretches: between }];
};

// A row for each program, on which its turns lie over the cycles.
function turnChart(frame: Frame, programs: SharedProgram[]): HTMLElement {
  const cycles = Math.max(1, frame.cycles);
  const rows = rowsOf(frame.data, programs);
  const height = rows.length * rowHeight;
  const width = (stretch: Stretch) => Math.max((1000 * (stretch.ended - stretch.began)) / cycles, 0.7);
  const bars = rows.flatMap((row, k) =>
    merged(row.stretches, cycles / 2000, row.noun).map((stretch) =>
      svg(
        "rect",
        { x: (1000 * stretch.began) / cycles, y: k * rowHeight + 4, width: width(stretch), height: barHeight, fill: row.color, "data-row": k, "data-cycles": stretch.ended - stretch.began },
        svg("title", {}, `${row.name}: ${stretch.text}`),
      ),
    ),
  );
  const marks = [0, 0.25, 0.5, 0.75, 1];
  return h(
    "figure",
    { class: "chart turns" },
    h(
      "div",
      { class: "turn-rows" },
      h("div", { class: "turn-names" }, rows.map((row) => h("span", { style: `height:${rowHeight}px`, title: row.name }, row.name))),
      h(
        "div",
        { class: "turn-bars" },
        svg(
          "svg",
          { viewBox: `0 0 1000 ${height}`, preserveAspectRatio: "none", width: "100%", height, role: "img", "aria-label": "Who had the GPU; the table below has the cycles" },
          rows.map((_, k) => svg("line", { x1: 0, x2: 1000, y1: (k + 1) * rowHeight - 0.5, y2: (k + 1) * rowHeight - 0.5, class: "turn-line" })),
          bars,
        ),
        h("div", { class: "turn-marks" }, marks.map((mark) => h("span", {}, brief(mark * cycles)))),
      ),
    ),
    h("figcaption", { class: "note" }, "Cycles of the core's clock. Turns that a screen cannot tell apart are one bar; point at a bar for its cycles."),
  );
}

// Turns, cycles and causes of each program in a part of the run.
function turnTable(frame: Frame, programs: SharedProgram[]): HTMLElement {
  const { turns, switches, work } = frame.data;
  const rows = programs.map((program, context) => {
    const ofProgram = <T>(values: T[], of: number[]) => values.filter((_, i) => of[i] === context);
    const lasts = turns.ended.map((ended, i) => ended - turns.began[i]);
    const causes = program.parts.find((part) => part.frame === frame.number)?.causes ?? [];
    return {
      name: `${context + 1}: ${program.name}`,
      turns: ofProgram(lasts, turns.context).length,
      suspended: ofProgram(turns.how, turns.context).filter((how) => how === "suspended").length,
      held: sum(ofProgram(lasts, turns.context)),
      switched: sum(ofProgram(switches.ended.map((ended, i) => ended - switches.began[i]), switches.to_context)),
      marginal: sum(ofProgram(work.marginal_cycles, work.context)),
      causes: causes.filter(({ share }) => share >= 0.02).slice(0, 5).map(({ words, share }) => `${words} ${percent(share, 0)}`).join(", "),
    };
  });
  return table(
    rows,
    [
      { title: "program", text: true, value: (row) => row.name },
      { title: "turns", tip: "submissions, and parts of suspended ones, that had the GPU", value: (row) => row.turns },
      { title: "suspended", tip: "turns that another program ended", value: (row) => row.suspended },
      { title: "had the GPU", tip: "cycles of its turns", value: (row) => row.held },
      { title: "share", value: (row) => ratio(row.held, frame.cycles), show: (row) => percent(ratio(row.held, frame.cycles)) },
      { title: "switches to it", tip: "cycles", value: (row) => row.switched },
      { title: "marginal cycles", tip: "of its work, with the switches to it and the time without any submission before it; over all programs they sum to the whole", value: (row) => row.marginal },
      { title: "its work was held up by", text: true, long: true, value: (row) => row.causes },
    ],
    { name: "Programs and their turns" },
  );
}

function boundBar(program: SharedProgram): HTMLElement | null {
  if (!program.shares) return null;
  const { host, others, window, gpu } = program.shares;
  const parts: [string, string, number][] = [
    ["busy", "the GPU works for it, or the display", gpu],
    ["blocked", "it waits for other programs", others],
    ["idle", "it waits for its window", window],
    ["starved", "its host computes, and the GPU has none of its submissions", host],
  ];
  const text = parts.map(([, name, share]) => `${name} ${percent(share)}`).join(", ");
  return h(
    "div",
    {},
    h("span", { class: "bar", role: "img", "aria-label": text, title: text }, parts.map(([style, , share]) => share > 0 && h("span", { class: style, style: `width:${(share * 100).toFixed(3)}%` }))),
    h("p", { class: "legend" }, parts.filter(([, , share]) => share > 0).map(([style, name, share]) => h("span", {}, h("i", { class: style }), `${name} ${percent(share, 0)}`))),
  );
}

function programBlock(program: SharedProgram, context: number): HTMLElement {
  return h(
    "figure",
    { class: "side", "data-program": context + 1 },
    h("figcaption", {}, h("h3", {}, `${context + 1}: ${program.name}`), program.bound && h("p", { class: "remark" }, `Bound by ${program.bound}.`)),
    boundBar(program),
    program.lost && h("p", { class: "warning" }, `Lost in frame ${program.lost.frame} at cycle ${number(program.lost.cycle)}, and the GPU reset: ${program.lost.why}`),
    program.picture && h("img", { src: `data:image/png;base64,${program.picture}`, alt: `Frame ${program.picture_frame} as the display showed it`, class: "picture" }),
  );
}

function frameTable(programs: SharedProgram[]): HTMLElement {
  const rows = programs.flatMap((program, context) => program.frames.map((frame) => ({ name: `${context + 1}: ${program.name}`, ...frame, together: frame.ended - frame.began })));
  const slowdown = (row: (typeof rows)[number]) => ratio(row.together, row.alone);
  return table(
    rows,
    [
      { title: "program", text: true, value: (row) => row.name },
      { title: "frame", value: (row) => row.frame },
      { title: "began", tip: "cycle of the run", value: (row) => row.began },
      { title: "ended", tip: "cycle of the run", value: (row) => row.ended },
      { title: "alone", tip: "cycles on a GPU of its own", value: (row) => row.alone },
      { title: "together", tip: "cycles beside the others", value: (row) => row.together },
      { title: "slowdown", value: slowdown, show: (row) => fixed(slowdown(row), 2) },
      { title: "picture", text: true, tip: "never shown: a later picture replaced it before the screen took it, or before its window showed it", value: (row) => (row.left_out ? "never shown" : row.shown_in !== null ? `first shown in frame ${row.shown_in} of program 1` : "") },
    ],
    { name: "Frames together and alone", height: 400 },
  );
}

function costs(run: Run): HTMLElement {
  const { switches, preemptions } = run.data.shared!;
  const within = preemptions.preemptions
    ? ` Within a submission ${number(preemptions.preemptions)}, ${number(preemptions.drain_cycles)} cycles until its work had ended, ${number(preemptions.restored_bytes)} bytes of state sent anew.`
    : "";
  return h(
    "p",
    {},
    `Switches of the whole run: ${number(switches.switches)}, ${number(switches.flush_cycles)} cycles to write caches back, ${number(switches.invalidate_cycles)} to empty them, ${number(switches.bind_cycles)} to bind memory clients.${within}`,
  );
}

export const sharing: View = {
  id: "sharing",
  title: "Sharing",
  shown: (runs) => runs.some((run) => run.data.shared),
  render: ({ run, frame }) => {
    const { shared } = run.data;
    if (!shared) return [h("p", {}, "This run is of one program.")];
    return [
      h("div", { class: "columns sides" }, ...shared.programs.map(programBlock)),
      h("h2", {}, `Who had the GPU in ${frame.title}`),
      turnChart(frame, shared.programs),
      costs(run),
      turnTable(frame, shared.programs),
      h("h2", {}, "Frames, together and alone"),
      frameTable(shared.programs),
    ];
  },
};
