import type { FrameData } from "./data";
import { accountLegend, phaseBar, phaseLegend, shareBar } from "./bars";
import { bytes, fixed, h, number, percent } from "./dom";
import { lastTarget, viewsRemark } from "./draw_pictures";
import { frameChart } from "./frame_chart";
import { Frame, ratio, shareOf, shortName, sum } from "./model";
import { type Column, table } from "./table";
import type { Context, View } from "./view";
import { timeColumn } from "./time_column";
import { labelTree } from "./tree";
import { whatIfList } from "./what_ifs";

export function picture(frame: Frame): HTMLElement {
  if (!frame.data.picture) return h("p", { class: "note" }, "There is no picture beside the database.");
  return h("img", {
    src: `data:image/png;base64,${frame.data.picture}`,
    alt: `Frame ${frame.number} as the display showed it`,
    class: "picture",
  });
}

export interface Figure {
  name: string;
  title: string;
  value: number;
  text: string;
  note?: string;
}

// What a frame amounts to: of what draws had counted, the program's, and the driver's in the note.
export function figures(frame: Frame): Figure[] {
  const { work, totals } = frame.data;
  const draws = work.kind.filter((kind, i) => kind === "draw" && !work.of_driver[i]).length;
  const driver = work.kind.filter((kind, i) => kind === "draw" && work.of_driver[i]).length;
  const counted = (name: string, title: string, counter: string, kind?: string, note?: string): Figure => {
    const ofDriver = frame.totalNamed(`driver_${counter}`, kind);
    const value = frame.totalNamed(counter, kind) - ofDriver;
    const told = [note, ofDriver ? `and ${number(ofDriver)} of the driver's own` : ""].filter(Boolean).join("; ");
    return { name, title, value, text: number(value), ...(told ? { note: told } : {}) };
  };
  const mhz = frame.run.coreMhz(),
    lanes = frame.run.groupLanes();
  const traffic = totals.bytes_read[0] + totals.bytes_written[0];
  // A run of several programs has many frames in its cycles.
  const rate = frame.run.data.shared ? "" : `, ${fixed((mhz * 1e6) / Math.max(1, frame.cycles), 1)} frames a second`;
  return [
    {
      name: "cycles",
      title: "cycles",
      value: frame.cycles,
      text: number(frame.cycles),
      note: mhz > 0 ? `${frame.time(frame.cycles)} at ${number(mhz)} MHz${rate}` : "of the core's clock",
    },
    { name: "draws", title: "draws", value: draws, text: number(draws), note: `and ${driver} of the driver's own` },
    counted("vertices", "vertices shaded", "vertices_shaded", "streamer"),
    counted("primitives", "primitives", "primitives", "primitive assembly"),
    counted("generated", "fragments generated", "fragments", "fragment generation"),
    counted("written", "samples written", "fragments", "color write"),
    counted("instructions", "instructions", "instructions", undefined, `one for each group${lanes ? ` of ${lanes} lanes` : ""}`),
    {
      name: "bytes_read",
      title: "read from memory",
      value: totals.bytes_read[0],
      text: bytes(totals.bytes_read[0]),
      note: `${fixed(ratio(traffic, frame.cycles), 2)} bytes a cycle, both ways`,
    },
    { name: "bytes_written", title: "written to memory", value: totals.bytes_written[0], text: bytes(totals.bytes_written[0]) },
  ];
}

function cards(frame: Frame): HTMLElement {
  return h(
    "dl",
    { class: "cards" },
    figures(frame).map((figure) =>
      h(
        "div",
        {},
        h("dt", {}, figure.title),
        h("dd", { "data-figure": figure.name, "data-value": figure.value }, figure.text),
        figure.note && h("dd", { class: "note" }, figure.note),
      ),
    ),
  );
}

function facts(frame: Frame): HTMLElement {
  const { run } = frame;
  const fact = (name: string) => run.meta.get(name) ?? "";
  const verified = { equal: "equal to the emulator's memory", different: "DIFFERENT from the emulator's memory", undecided: "undecided: differences hang on the order of threads", no: "not verified" }[fact("verified")];
  const rows: [string, string][] = [
    ["machine", fact("base") === fact("gpu") ? fact("gpu") : `${fact("gpu")} (from ${fact("base")})`],
    ["program", fact("program")],
    ["capture", fact("capture")],
    ["verify", verified ?? fact("verified")],
    ["memory after it", frame.data.totals.memory_hash[0]],
    ["Cutaway", `${fact("version")}, schema ${fact("schema")}`],
  ];
  return h("dl", { class: "facts" }, rows.filter(([, text]) => text).flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));
}

// The displayed frame; of a frame that is not displayed, a target.
function shownPicture(context: Context): HTMLElement {
  const { frame } = context;
  return frame.data.picture ? picture(frame) : (lastTarget(context) ?? viewsRemark(frame, null) ?? picture(frame));
}

// The first sentence of the view, what bound the frame, and its evidence.
function verdict(context: Context): HTMLElement {
  const { frame } = context;
  const causes = frame.data.holdups.frame;
  if (causes.length) {
    const [first, ...others] = causes;
    const rest = others.slice(0, 3).filter(({ share }) => share >= 0.01).map(({ words, share }) => `${words} ${percent(share, 0)}`);
    const evidence = causes.filter(({ share }) => share >= 0.05).flatMap(({ words, evidence }) => evidence.map((one) => h("li", {}, `${words}: ${one}`)));
    return h(
      "div",
      {},
      h("p", { class: "verdict" }, "Held up by ", h("strong", {}, first.words), ` ${percent(first.share, 0)}`, rest.length ? `, ${rest.join(", ")}.` : "."),
      ...frame.data.holdups.remarks.map((remark) => h("p", { class: "remark" }, remark)),
      evidence.length > 0 && h("details", { class: "evidence", open: true }, h("summary", {}, "Evidence"), h("ul", {}, evidence)),
      whatIfList(frame),
    );
  }
  const [unit, busy, , , , holds] = frame.data.weights[0] ?? ["", 0, 0, 0, 0, 0];
  if (!unit) return h("p", {}, "Nothing was counted.");
  return h(
    "p",
    { class: "verdict" },
    "What binds: ",
    h("strong", {}, shortName(unit)),
    `. It worked in ${percent(busy)} of its cycles, and others waited for it in ${percent(holds)} (summed over them).`,
  );
}

// What the frame's cycles were for.
function phasesOf(frame: Frame): HTMLElement {
  return h("div", { class: "phases" }, h("p", { class: "note" }, "What the frame's cycles were spent on, by kind of work under way (not by unit):"), phaseBar(frame), phaseLegend(frame));
}

export const overview: View = {
  id: "overview",
  title: "Overview",
  render: (context) => {
    const { frame } = context;
    return [
    h("div", { class: "split" }, h("div", {}, shownPicture(context)), h("div", {}, verdict(context), phasesOf(frame), cards(frame), facts(frame))),
    h("h2", {}, "Where the cycles of each unit went"),
    h("p", { class: "note" }, "“Binds”: every 17 cycles a probe finds the unit that holds the machine up; the share of the probes that found this one."),
    accountLegend(),
    table(
      ranked(frame),
      [
        { title: "unit", text: true, value: (row) => row[0], show: (row) => shortName(row[0]) },
        {
          title: "account",
          text: true,
          wide: true,
          value: () => null,
          show: (row) => shareBar({ busy: row[1], starved: row[2], blocked: row[3], idle: row[4] }),
        },
        ...(["busy", "starved", "blocked", "idle"] as const).map((name, i) => ({
          title: name,
          value: (row: (typeof frame.data.weights)[number]) => row[i + 1] as number,
          show: (row: (typeof frame.data.weights)[number]) => percent(row[i + 1] as number),
        })),
        bindColumn(frame),
        {
          title: "waits most",
          text: true,
          long: true,
          value: (row) => row[6][0]?.[2] ?? 0,
          show: (row) => {
            const wait = row[6][0];
            return wait ? `${wait[1] ? "starved" : "blocked"} by ${shortName(wait[0])} ${percent(wait[2])}` : "";
          },
        },
      ],
      { name: "Units by what they cost", sort: 6, descending: true, filter: frame.data.weights.length > 12, height: 520 },
    ),
    ...labelTree(context),
    h("h2", {}, "Passes"),
    passTable(frame),
    frame.run.frames.length > 1 && h("h2", {}, "Frames of the run"),
    frame.run.frames.length > 1 && frameChart(context),
    frame.run.frames.length > 1 && frameTable(context),
    ].filter((node) => node !== false && node !== null);
  },
};

function frameTable(context: Context): HTMLElement {
  const { run, frame } = context;
  const headlines = new Map(run.frames.map((one) => [one, figures(one)]));
  return table(
    run.frames,
    [
      { title: "frame", value: (one) => one.number },
      { title: "cycles were for", text: true, wide: true, value: () => null, show: phaseBar },
      ...figures(frame).map((figure, k) => ({
        title: figure.title,
        value: (one: Frame) => headlines.get(one)![k].value,
        show: (one: Frame) => headlines.get(one)![k].text,
      })),
    ],
    { name: "Frames of the run", height: 400, selected: (one) => one === frame, select: (one) => context.go({ frame: one.number, work: null }) },
  );
}

type Weight = FrameData["weights"][number];

// Units in the order of the machine where probes tell what binds; else by weight, as the data has them.
function ranked(frame: Frame): Weight[] {
  const { units } = frame.run.data;
  return frame.data.weights.slice().sort((a, b) => units.indexOf(a[0]) - units.indexOf(b[0]));
}

function bindColumn(frame: Frame): Column<Weight> {
  const shares = new Map(frame.holders().map(({ unit, share }) => [unit, share]));
  const share = (row: Weight) => shares.get(row[0]) ?? 0;
  return { title: "binds", tip: "share of the probes that found it to hold the machine up", value: share, show: (row) => percent(share(row)) };
}

function passTable(frame: Frame): HTMLElement {
  const { passes } = frame.data;
  const written = frame.forWork(frame.run.countersNamed("fragments", "color write"));
  const ofPass = (pass: number, values: number[]) => sum(values.slice(passes.first_work[pass], passes.last_work[pass] + 1));
  const traffic = frame.forWork(frame.run.clients().flatMap((client) => [client.read, client.write].filter((c) => c !== undefined)));
  return table(
    passes.pass,
    [
      { title: "pass", value: (pass) => pass },
      { title: "targets", text: true, wide: true, value: (pass) => frame.passLabel(pass) },
      { title: "draws", value: (pass) => passes.draws[pass] },
      { title: "cycles", tip: "marginal cycles of its work: they sum to the frame's", value: (pass) => passes.marginal_cycles[pass] },
      timeColumn(frame, (pass) => passes.marginal_cycles[pass]),
      {
        title: "share",
        value: (pass) => ratio(passes.marginal_cycles[pass], frame.cycles),
        show: (pass) => percent(ratio(passes.marginal_cycles[pass], frame.cycles)),
      },
      { title: "samples written", value: (pass) => ofPass(pass, written) },
      { title: "bytes", value: (pass) => ofPass(pass, traffic), show: (pass) => bytes(ofPass(pass, traffic)) },
      {
        title: "shader units",
        text: true,
        wide: true,
        tip: "what shader units did in the marginal cycles of its work",
        value: () => null,
        show: (pass) => {
          const shaders = [...frame.run.kinds].filter(([kind]) => kind.endsWith("shader")).flatMap(([, units]) => units);
          const counters = shaders.map((unit) => frame.accountCounters(unit));
          return shareBar(shareOf((account) => ofPass(pass, frame.forWork(counters.flatMap((c) => c[account]), "meanwhile"))));
        },
      },
    ],
    { name: "Passes of the frame" },
  );
}
