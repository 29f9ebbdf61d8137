// Parts of the page, made anew from each state.
import { accountLegend, shareBar } from "../bars";
import { h, number, percent, svg } from "../dom";
import type { Queue, Recorded, Running, State, Unit } from "./state";

const short = (name: string): string => name.replace(/^gpu\./, "").replace(/_/g, " ");
// "gpu.clipper0.triangles_out": clipper0, triangles.
const unitOf = (port: string): string => short(port.slice(0, port.lastIndexOf(".")));
const thingOf = (port: string): string => port.slice(port.lastIndexOf(".") + 1).replace(/_(in|out)\b/, "").replace(/_/g, " ");

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

export const meter = (share: number, name: string, kind = "busy", of = ""): HTMLElement =>
  h(
    "span",
    { class: "bar", role: "meter", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(share * 100), title: `${percent(share)}${of}` },
    h("span", { class: kind, style: `width:${(share * 100).toFixed(2)}%` }),
  );

const figure = (name: string, title: string, text: string): HTMLElement =>
  h("div", { class: "live-figure", "data-figure": name }, h("span", {}, title), h("strong", {}, text));

export function headline(state: State): string {
  if (state.state === "done") return "Done";
  if (state.state === "capturing") return `Capturing ${state.what}`;
  if (!state.frames) return "Starting";
  const done = `${state.frames.done} of ${state.frames.all} frame${state.frames.all === 1 ? "" : "s"} done`;
  if (state.paused) return `Paused, ${done}`;
  return state.seconds_left === null ? done : `${done}, about ${duration(state.seconds_left)} left`;
}

export function figures(state: State): HTMLElement {
  return h(
    "div",
    { class: "live-figures" },
    figure("cycles", "cycles simulated", number(state.cycles)),
    figure("rate", "cycles a second", state.paused ? "paused" : number(Math.round(state.cycles_per_second))),
    figure("seconds", "time, without pauses", duration(state.seconds)),
    figure("left", "time left", state.seconds_left === null ? "–" : `about ${duration(state.seconds_left)}`),
    figure("jobs", "frames at a time", number(state.jobs)),
  );
}

// Cycles a second over the last minutes, as far as this page has seen them.
export function rateLine(rates: number[]): Element {
  const width = 600,
    height = 48,
    most = Math.max(1, ...rates);
  const points = rates.map((rate, i) => `${((i / Math.max(1, rates.length - 1)) * width).toFixed(1)},${(height - 2 - (rate / most) * (height - 4)).toFixed(1)}`);
  return svg(
    "svg",
    { class: "rate-line", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": `Cycles a second: up to ${number(Math.round(most))}` },
    svg("polyline", { points: points.join(" ") }),
  );
}

function workText(running: Running): string {
  if (running.warming_up) return "warm-up";
  if (!running.work) return "between two pieces of work";
  if (running.work.draw === undefined) return { copy: "a copy", control: "a flush or invalidate of caches", present: "a present", "scan-out": "the scan-out", rest: "the end of a submission" }[running.work.kind] ?? running.work.kind;
  return `draw ${number(running.work.draw)} of ${number(running.draws)}${running.work.of_driver ? ", the driver's own" : ""}`;
}

export function runningTable(state: State, chosen: number, choose: (frame: number) => void, record: (frame: number) => void): HTMLElement {
  const rows = state.running.map((running) => {
    const recorded = state.recording === running.frame;
    return h(
      "tr",
      { class: running.frame === chosen ? "chosen" : undefined, "data-frame": running.frame },
      h("td", {}, h("button", { type: "button", "aria-pressed": running.frame === chosen ? "true" : "false", "data-key": `frame${running.frame}`, onclick: () => choose(running.frame) }, `frame ${running.frame}`)),
      h("td", { class: "wide" }, meter(running.share, `Frame ${running.frame}`)),
      h("td", { class: "number" }, percent(running.share, 0)),
      h("td", { class: "number" }, number(running.cycles)),
      h("td", {}, workText(running)),
      h(
        "td",
        {},
        h(
          "button",
          {
            type: "button",
            class: recorded ? "recording" : undefined,
            "data-key": `record${running.frame}`,
            disabled: !state.can_record || (state.recording !== null && !recorded) || running.warming_up,
            title: state.can_record ? "A timeline of what follows, for ui.perfetto.dev" : "The command writes a timeline already (--timeline)",
            onclick: () => record(running.frame),
          },
          recorded ? "■ Stop recording" : "● Record timeline",
        ),
      ),
    );
  });
  return h(
    "div",
    { class: "scroller", "aria-label": "Frames under way" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["frame", "done", "", "cycles", "oldest work", "timeline"].map((title) => h("th", {}, title)))),
      h("tbody", {}, rows.length ? rows : h("tr", {}, h("td", { colspan: 6 }, state.state === "done" ? "All frames are done." : "No frame is on the clock just now."))),
    ),
  );
}

export function holdsUp(units: Unit[]): HTMLElement {
  const found = units.filter((unit) => unit.holds_up > 0.005).sort((a, b) => b.holds_up - a.holds_up).slice(0, 8);
  return h(
    "div",
    { class: "holders" },
    found.length
      ? found.map((unit) => h("div", { class: "holder", "data-unit": unit.unit }, h("span", {}, short(unit.unit)), meter(unit.holds_up, short(unit.unit), "blocked"), h("span", { class: "number" }, percent(unit.holds_up, 0))))
      : h("p", { class: "note" }, "Nobody just now."),
  );
}

export function unitTable(units: Unit[]): HTMLElement[] {
  return [
    accountLegend(),
    h(
      "div",
      { class: "scroller", "aria-label": "Units" },
      h("table", {}, h("tbody", {}, units.map((unit) => h("tr", {}, h("td", {}, short(unit.unit)), h("td", { class: "wide" }, shareBar(unit)), h("td", { class: "number" }, percent(unit.busy, 0)))))),
    ),
  ];
}

export function queueTable(queues: Queue[]): HTMLElement {
  const fullest = queues.filter((queue) => queue.filling > 0.0005).sort((a, b) => b.filling - a.filling);
  return h(
    "div",
    { class: "scroller", "aria-label": "Queues" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["from", "to", "what", "filling", ""].map((title) => h("th", {}, title)))),
      h(
        "tbody",
        {},
        fullest.length
          ? fullest.map((queue) => h("tr", {}, h("td", {}, unitOf(queue.from)), h("td", {}, unitOf(queue.to)), h("td", {}, thingOf(queue.from)), h("td", { class: "wide" }, meter(queue.filling, queue.to, "starved", ` of ${queue.slots} slots`)), h("td", { class: "number" }, percent(queue.filling, 0))))
          : h("tr", {}, h("td", { colspan: 5 }, "All queues are empty.")),
      ),
    ),
  );
}

export function recordedList(recordings: Recorded[]): HTMLElement[] {
  if (!recordings.length) return [];
  return [
    h("h2", {}, "Timelines"),
    h(
      "ul",
      { "aria-label": "Timelines" },
      recordings.map((one) =>
        h("li", {}, `Frame ${one.frame}, cycles ${number(one.first_cycle)} to ${number(one.last_cycle)}: `, one.file ? h("code", {}, one.file) : h("strong", {}, one.error ?? "not written")),
      ),
    ),
    h("p", { class: "note" }, "Open them in ui.perfetto.dev: the page reads them in the browser."),
  ];
}

export function finishedList(state: State): HTMLElement[] {
  if (!state.finished.length) return [];
  return [
    h("h2", {}, "Frames that are done"),
    h("p", { class: "done-frames" }, state.finished.slice(-200).map((one) => h("span", {}, `frame ${one.frame}: ${number(one.cycles)} cycles`))),
  ];
}
