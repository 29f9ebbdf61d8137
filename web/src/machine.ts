// The machine's block diagram, coloured by what its units did: in the frame, over time, or for a draw.
import { accountLegend, shareBar } from "./bars";
import { h, number, percent, svg } from "./dom";
import { accounts, type Frame, ratio, shareOf, type Shares, shortName, sum } from "./model";
import { table } from "./table";
import type { Context, View } from "./view";

type Mode = "frame" | "interval" | "own" | "meanwhile";

const lineClass = ["forward", "back", "bus"];
const anchors = ["start", "middle", "end"];

function outline(points: number[][]): string {
  return points.map(([x, y], i) => `${i ? "L" : "M"}${x} ${y}`).join(" ");
}

interface Drawn {
  element: SVGSVGElement;
  // binds: in which share of the probes a unit held the machine up; null: not known.
  paint: (shares: (unit: string) => Shares | null, binds: Map<string, number> | null) => void;
}

// A column for each unit of a box, up to 16 of them; of more, each stands for several.
function draw(frame: Frame): Drawn {
  const { diagram } = frame.run.data;
  const [x, y, width, height] = diagram.area;
  const element = svg("svg", {
    viewBox: `${x - 20} ${y - 20} ${width + 40} ${height + 40}`,
    class: "diagram",
    role: "img",
    "aria-label": "Block diagram of the machine; the table below has its figures",
    style: `max-width:${Math.max(600, width * 1.15)}px`,
  });
  element.append(
    svg(
      "defs",
      {},
      lineClass.map((kind) =>
        svg(
          "marker",
          { id: `arrow-${kind}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" },
          svg("path", { d: "M0 1 L10 5 L0 9 z", class: `arrow ${kind}` }),
        ),
      ),
    ),
  );
  for (const line of diagram.lines)
    element.append(
      svg("path", {
        d: outline(line.points),
        class: `line ${lineClass[line.kind]}`,
        "marker-end": `url(#arrow-${lineClass[line.kind]})`,
        "marker-start": line.kind === 2 ? "url(#arrow-bus)" : undefined,
      }),
    );
  const columns: { units: string[]; parts: SVGRectElement[]; top: number; height: number }[] = [];
  const titles: { units: string[]; title: SVGTitleElement; text: string; group: SVGGElement; binds: SVGTextElement; name: SVGTextElement; middle: number; low: boolean }[] = [];
  for (const box of diagram.boxes) {
    const [left, top, w, h0] = box.area;
    const group = svg("g", { class: "unit" });
    const title = svg("title");
    group.append(title);
    if (box.depth) group.append(svg("rect", { x: left + box.depth, y: top + box.depth, width: w, height: h0, rx: 5, class: "box" }));
    group.append(svg("rect", { x: left, y: top, width: w, height: h0, rx: 5, class: "box" }));
    const count = Math.min(box.units.length, 16);
    for (let k = 0; k < count; k++) {
      const units = box.units.slice(Math.floor((k * box.units.length) / count), Math.floor(((k + 1) * box.units.length) / count));
      const gap = count > 1 ? 1 : 0;
      const parts = accounts.map((account) =>
        svg("rect", { x: left + 2 + (k * (w - 4)) / count, y: top + 2, width: Math.max(0.5, (w - 4) / count - gap), height: 0, class: account }),
      );
      group.append(...parts);
      columns.push({ units, parts, top: top + 2, height: h0 - 4 });
    }
    const name = svg("text", { x: left + w / 2, y: top + h0 / 2 + 5, class: "name" }, box.text);
    group.append(name);
    // Inside the box, where no wire passes.
    const binds = svg("text", { x: left + w / 2, y: top + h0 - 4, class: "binds" });
    group.append(binds);
    titles.push({ units: box.units, title, text: box.text, group, binds, name, middle: top + h0 / 2, low: h0 < 70 });
    element.append(group);
  }
  for (const text of diagram.texts)
    element.append(svg("text", { x: text.at[0], y: text.at[1], "text-anchor": anchors[text.anchor], class: `wire ${lineClass[text.kind]}` }, text.text));
  const mean = (units: string[], shares: (unit: string) => Shares | null): Shares | null => {
    const known = units.map(shares).filter((one) => one !== null);
    return known.length ? shareOf((account) => sum(known.map((one) => one[account]))) : null;
  };
  return {
    element,
    paint: (shares, holders) => {
      for (const { units, parts, top: from, height: all } of columns) {
        const here = mean(units, shares);
        let at = from + all; // from the bottom: busy, starved, blocked, idle
        accounts.forEach((account, i) => {
          const part = (here?.[account] ?? 0) * all;
          at -= part;
          parts[i].setAttribute("y", at.toFixed(2));
          parts[i].setAttribute("height", Math.max(0, part).toFixed(2));
        });
      }
      element.classList.toggle("held", holders !== null && holders.size > 0);
      for (const { units, title, text, group, binds, name, middle, low } of titles) {
        const held = holders ? sum(units.map((unit) => holders.get(unit) ?? 0)) : 0;
        binds.textContent = held >= 0.005 ? `binds ${percent(held, 0)}` : "";
        name.setAttribute("y", String(middle + (low && binds.textContent ? -2 : 5))); // a low box has room for both
        group.classList.toggle("binding", held >= 0.05);
        for (const rect of group.querySelectorAll<SVGRectElement>(".box")) rect.style.strokeWidth = held >= 0.05 ? `${2 + held * 6}px` : "";
        const here = mean(units, shares);
        title.textContent = here ? `${text}: ${accounts.map((a) => `${a} ${percent(here[a])}`).join(", ")}` : `${text}: nothing`;
      }
    },
  };
}

export const machine: View = {
  id: "machine",
  title: "Machine",
  render: (context: Context) => {
    const { frame, run } = context;
    const { intervals, work } = frame.data;
    const drawn = draw(frame);
    const units = run.data.units;
    const overTime = new Map<string, Record<string, number[]>>();
    const counters = new Map(units.map((unit) => [unit, frame.accountCounters(unit)]));
    let mode: Mode = context.place.work === null ? "frame" : "own";
    let interval = 0,
      item = context.place.work ?? 0;

    const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Interval or draw", oninput: () => moved() });
    const label = h("output", { class: "moment" });
    const list = h("div");
    const play = h("button", { type: "button", onclick: () => toggle() }, "Play");
    let timer = 0;

    function sharesAt(): (unit: string) => Shares | null {
      if (mode === "frame") return (unit) => frame.shares([unit]);
      if (mode === "interval")
        return (unit) => {
          if (!overTime.has(unit)) overTime.set(unit, frame.sharesOverTime([unit]));
          const shares = overTime.get(unit)!;
          return { busy: shares.busy[interval], starved: shares.starved[interval], blocked: shares.blocked[interval], idle: shares.idle[interval] };
        };
      const which = mode;
      const rows = new Map(frame.ofWork(item).map((row) => [row.counter, row[which]]));
      return (unit) => shareOf((account) => sum(counters.get(unit)![account].map((counter) => rows.get(counter) ?? 0)));
    }
    const inIntervals = new Map<string, number[]>();
    for (const { unit, probes } of frame.data.holdups.intervals) {
      const stages = inIntervals.get(unit);
      inIntervals.set(unit, stages ? stages.map((count, i) => count + probes[i]) : probes);
    }
    const inWork = frame.holdersOfWork();
    const asMap = (holders: { unit: string; share: number }[]) => new Map(holders.map(({ unit, share }) => [unit, share]));
    function bindsAt(): Map<string, number> | null {
      if (mode === "own") return null;
      if (mode === "frame") return asMap(frame.holders());
      if (mode === "meanwhile") return asMap(inWork[item] ?? []);
      const all = sum([...inIntervals.values()].map((probes) => probes[interval]));
      return new Map([...inIntervals].map(([unit, probes]) => [unit, ratio(probes[interval], all)]));
    }
    function describe(): string {
      if (mode === "frame") return `the whole frame: ${number(frame.cycles)} cycles`;
      if (mode === "interval") return `cycles ${number(intervals.began[interval])} to ${number(intervals.ended[interval])}`;
      const what = mode === "own" ? "for" : `in the ${number(work.marginal_cycles[item])} marginal cycles of`;
      return `${what} work ${item}: ${frame.workLabel(item)}`;
    }
    function paint(withTable = true) {
      const at = sharesAt();
      drawn.paint(at, bindsAt());
      label.textContent = describe();
      if (withTable) list.replaceChildren(unitTable(units, at));
    }
    function moved() {
      if (mode === "interval") interval = slider.valueAsNumber;
      else item = slider.valueAsNumber;
      paint();
    }
    function choose(next: Mode) {
      mode = next;
      slider.disabled = mode === "frame";
      play.disabled = mode === "frame";
      slider.max = String(Math.max(0, (mode === "interval" ? intervals.began.length : work.work.length) - 1));
      slider.value = String(mode === "interval" ? interval : item);
      paint();
    }
    function toggle() {
      if (timer) return stop();
      play.textContent = "Stop";
      timer = window.setInterval(() => {
        if (!drawn.element.isConnected || slider.valueAsNumber >= Number(slider.max)) return stop();
        slider.valueAsNumber++;
        if (mode === "interval") interval = slider.valueAsNumber;
        else item = slider.valueAsNumber;
        paint(false);
      }, 60);
    }
    function stop() {
      window.clearInterval(timer);
      timer = 0;
      play.textContent = "Play";
      paint();
    }
    const radio = (value: Mode, text: string) => {
      const input = h("input", { type: "radio", name: "moment", value, onchange: () => choose(value) });
      input.checked = mode === value;
      input.disabled = value === "interval" ? intervals.began.length === 0 : value !== "frame" && work.work.length === 0;
      return h("label", {}, input, text);
    };
    choose(mode);
    return [
      h(
        "div",
        { class: "tools" },
        h(
          "fieldset",
          {},
          h("legend", {}, "Show"),
          radio("frame", "the frame"),
          radio("interval", "over time"),
          radio("own", "what a draw had it do"),
          radio("meanwhile", "all in a draw's marginal cycles"),
        ),
      ),
      h("div", { class: "tools slide" }, play, slider, label),
      accountLegend(),
      h("p", { class: "note" }, "A box has a column for each unit of its kind; “binds” says in how many of the probes its units held the machine up; boxes that seldom did are pale. Beside wires: how many × what, latency in cycles / messages a cycle / slots."),
      h("div", { class: "canvas" }, drawn.element),
      list,
    ];
  },
};

function unitTable(units: string[], at: (unit: string) => Shares | null): HTMLElement {
  const rows = units.map((unit) => ({ unit, shares: at(unit) }));
  return table(
    rows,
    [
      { title: "unit", text: true, value: (row) => row.unit, show: (row) => shortName(row.unit) },
      { title: "account", text: true, wide: true, value: () => null, show: (row) => (row.shares ? shareBar(row.shares) : "") },
      ...accounts.map((account) => ({
        title: account,
        value: (row: (typeof rows)[number]) => row.shares?.[account] ?? 0,
        show: (row: (typeof rows)[number]) => percent(row.shares?.[account] ?? 0),
      })),
    ],
    { name: "Units", height: 420 },
  );
}
