// A shader program beside the SPIR-V that it was made from, and what thread groups did at each instruction.
import type { InstructionTime, Stage } from "./data";
import { h, number, percent } from "./dom";
import { type Frame, noTime, ratio, sum } from "./model";

// Cycles of groups, in the order in which bars show them.
const parts: { name: string; words: string; of: (time: InstructionTime) => number }[] = [
  { name: "issues", words: "issues", of: (time) => time.issue_cycles },
  { name: "others", words: "could issue, others did", of: (time) => time.waited_issue },
  { name: "result", words: "waits for a result", of: (time) => time.waited_result },
  { name: "branch", words: "waits for a branch", of: (time) => time.waited_flow },
  { name: "send", words: "waits to send to texture", of: (time) => time.waited_send },
  { name: "texture", words: "waits for texture", of: (time) => time.waited_texture },
  { name: "drain", words: "ends: pipelines run empty", of: (time) => time.waited_drain },
  { name: "output", words: "ends: waits for its output", of: (time) => time.waited_output },
];
const waits = (time: InstructionTime): number => sum(parts.slice(1).map((part) => part.of(time)));
const spent = (time: InstructionTime): number => waits(time) + time.issue_cycles;

// As long as its share of the longest.
function timeBar(time: InstructionTime, longest: number): HTMLElement {
  const text = parts.filter((part) => part.of(time) > 0).map((part) => `${part.words} ${number(part.of(time))}`).join(", ");
  return h(
    "span",
    { class: "bar time", role: "img", "aria-label": text, title: text },
    parts.map((part) => part.of(time) > 0 && h("span", { class: part.name, style: `width:${(ratio(part.of(time), longest) * 100).toFixed(3)}%` })),
  );
}

const legend = (): HTMLElement => h("p", { class: "legend time" }, parts.map((part) => h("span", {}, h("i", { class: part.name }), part.words)));

// Cells of each instruction: how often it was issued, for how many lanes, and the cycles that groups waited.
function timeCells(frame: Frame, work: number, stage: Stage, count: number, all: boolean): { cells: HTMLElement[]; hot: boolean }[] {
  const times = frame.instructionTimes(work, stage, all);
  const every = Array.from({ length: count }, (_, i) => times[i] ?? noTime());
  const longest = Math.max(...every.map(spent), 0),
    most = Math.max(...every.map(waits), 0),
    total = sum(every.map(waits));
  const cell = (column: string, value: number, text: string) => h("td", { class: "number", "data-column": column, "data-value": value }, text);
  return every.map((time) => ({
    hot: most > 0 && waits(time) === most,
    cells: [
      cell("issued", time.issued, number(time.issued)),
      cell("lanes", time.lanes, number(time.lanes)),
      cell("waited", waits(time), number(waits(time))),
      cell("share", ratio(waits(time), total), percent(ratio(waits(time), total))),
      h("td", { class: "wide" }, spent(time) > 0 && timeBar(time, longest)),
    ],
  }));
}

const heads: [string, string][] = [
  ["issued", "thread groups, one for each time"],
  ["lanes", "that executed it, helpers among them"],
  ["waited", "cycles that groups stood there without issuing"],
  ["of all", "of the cycles that groups waited in this program"],
];

export function programView(frame: Frame, address: string, stage: Stage, work: number): HTMLElement {
  const { run } = frame;
  const at = run.program(address);
  if (at < 0) return h("p", { class: "note" }, "The capture does not say what stands there.");
  const { instructions, source_of, spirv } = run.data.programs;
  const code = instructions[at].split("\n").filter((line) => line.trim() !== "");
  const source = spirv[at];
  const places = (source_of[at] ?? "").split(" ").filter(Boolean).map(Number);
  const lines: HTMLElement[] = [];
  const rows = code.map((text, i) => {
    const place = places[i] ?? -1;
    const told = source && place >= 0 && place < source.length && place !== places[i - 1];
    const texts = [
      h("td", { class: "code" }, text),
      source && h("td", { class: "number" }, told ? String(place) : ""),
      source && h("td", { class: "code source" }, told ? source[place].trim() : ""),
    ].filter((cell) => cell !== null);
    return { texts, row: h("tr", { tabindex: source && place >= 0 ? 0 : undefined, "data-place": place, onclick: () => show(place), onfocus: () => show(place) }) };
  });
  function count(all: boolean) {
    timeCells(frame, work, stage, code.length, all).forEach(({ cells, hot }, i) => {
      const [first, ...others] = rows[i].texts;
      rows[i].row.replaceChildren(first, ...cells, ...others);
      rows[i].row.classList.toggle("hot", hot);
    });
  }
  const scope = h(
    "select",
    { onchange: () => count(scope.value === "all") },
    h("option", { value: "work" }, "this piece of work"),
    h("option", { value: "all" }, "all work of the frame with this program"),
  );
  count(false);
  const listing = source && h("div", { class: "listing", tabindex: 0, role: "region", "aria-label": "All of the SPIR-V" });
  const whole =
    source &&
    h(
      "details",
      {
        ontoggle: () => {
          if (lines.length) return;
          source.forEach((text, i) => lines.push(h("div", { class: "code" }, h("span", { class: "place" }, String(i)), text)));
          listing!.append(...lines);
        },
      },
      h("summary", {}, `All of the SPIR-V: ${source.length} instructions`),
      listing,
    );
  function show(place: number) {
    for (const { row } of rows) row.classList.toggle("chosen", place >= 0 && row.getAttribute("data-place") === String(place));
    lines.forEach((line, i) => line.classList.toggle("chosen", i === place));
    if (whole && whole.open && lines[place] && listing) listing.scrollTop = lines[place].offsetTop - listing.offsetTop - 60;
  }
  return h(
    "div",
    { class: "program" },
    h("div", { class: "tools" }, h("label", {}, "Counts of ", scope), legend()),
    h(
      "div",
      { class: "scroller", tabindex: 0, role: "region", "aria-label": `Program ${address}` },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { class: "text" }, "instruction"),
            heads.map(([title, tip]) => h("th", { class: "number", title: tip }, title)),
            h("th", { class: "text", title: "cycles of groups there; the longest bar is the instruction where they spent most" }, "where the time went"),
            source && h("th", { class: "number" }, "line"),
            source && h("th", { class: "text" }, "SPIR-V that it comes from"),
          ),
        ),
        h("tbody", {}, rows.map(({ row }) => row)),
      ),
    ),
    source ? whole : h("p", { class: "note" }, places.length ? "Its SPIR-V cannot be read." : "No SPIR-V: the driver's own program."),
  );
}
