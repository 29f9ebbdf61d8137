// The page: reads its data, and shows the view that the address names.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { drawWaiting, rankKinds } from "./charts";
import { type Declarations, readData } from "./data";
import { h } from "./dom";
import { kindsByWeight, Run, runNames } from "./model";
import { Sweep, sweepNames } from "./sweep_model";
import { type SweepView, sweepViews } from "./sweeps";
import type { Place } from "./view";
import { views } from "./views";

// The first frame that all runs have, so that they can be compared; else the run's first.
function firstFrame(runs: Run[], run: Run): number {
  const numbers = run.frames.map((frame) => frame.number);
  return numbers.find((number) => runs.every((one) => one.frames.some((frame) => frame.number === number))) ?? numbers[0];
}

function placeOf(hash: string, runs: Run[], sweeps: Sweep[]): Place {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const whole = (name: string): number | null => (/^\d+$/.test(given.get(name) ?? "") ? Number(given.get(name)) : null);
  const all = shownViews(runs, sweeps);
  const view = all.find((one) => one.id === given.get("view")) ?? all[0];
  const run = runs[whole("run") ?? 0] ? (whole("run") ?? 0) : 0;
  const frame = runs[run]?.frame(whole("frame") ?? firstFrame(runs, runs[run])).number ?? 0;
  const sweep = sweeps[whole("sweep") ?? 0] ? (whole("sweep") ?? 0) : 0;
  const pixel = /^(\d{1,5}),(\d{1,5})$/.exec(given.get("pixel") ?? "");
  return { view: view.id, run, frame, sweep, work: whole("work"), pixel: pixel && [Number(pixel[1]), Number(pixel[2])] };
}

// Views of runs come before those of sweeps.
const shownViews = (runs: Run[], sweeps: Sweep[]): { id: string; title: string }[] => [
  ...(runs.length ? views.filter((view) => view.shown?.(runs) ?? true) : []),
  ...(sweeps.length ? sweepViews.filter((view) => view.shown(sweeps)) : []),
];

function address(place: Place): string {
  const parts = new URLSearchParams({ view: place.view, run: String(place.run), frame: String(place.frame) });
  if (place.sweep > 0) parts.set("sweep", String(place.sweep));
  if (place.work !== null) parts.set("work", String(place.work));
  if (place.pixel !== null) parts.set("pixel", place.pixel.join(","));
  return `#${parts}`;
}

type Theme = "light" | "dark";
function startTheme(redraw: () => void): HTMLElement {
  const kept = (() => {
    try {
      return localStorage.getItem("cutaway-theme");
    } catch {
      return null; // a page from disk may have no storage
    }
  })();
  const set = (theme: Theme) => (document.documentElement.dataset.theme = theme);
  set(kept === "dark" || kept === "light" ? kept : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  let before: Theme = "light";
  // Paper is white.
  window.addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme as Theme;
    if (before === "dark") set("light"), redraw();
  });
  window.addEventListener("afterprint", () => {
    if (before === "dark") set("dark"), redraw();
  });
  return h(
    "button",
    {
      type: "button",
      class: "theme",
      title: "Dark or light",
      "aria-label": "Dark or light",
      onclick: () => {
        const theme: Theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
        set(theme);
        try {
          localStorage.setItem("cutaway-theme", theme);
        } catch {
          // It is dark until the page is opened again.
        }
        redraw();
      },
    },
    "◐",
  );
}

function start(runs: Run[], sweeps: Sweep[], lines: string[], declarations: Declarations) {
  const page = document.getElementById("page")!;
  const shown = shownViews(runs, sweeps);
  let place = placeOf(location.hash, runs, sweeps);
  rankKinds(kindsByWeight(runs));
  const main = h("main", { id: "main", tabindex: -1 });
  const tabs = shown.map((view, i) =>
    h("a", { href: address({ ...place, view: view.id }), "data-view": view.id, title: `key ${i + 1}` }, view.title),
  );
  const runSelect = h("select", { "aria-label": "Run", onchange: () => go({ run: Number(runSelect.value), work: null, pixel: null }) }, runs.map((run) => h("option", { value: run.index }, run.name)));
  const frameSelect = h("select", { "aria-label": "Frame", onchange: () => go({ frame: Number(frameSelect.value), work: null, pixel: null }) });

  const sweepSelect = h("select", { "aria-label": "Sweep", onchange: () => go({ sweep: Number(sweepSelect.value) }) }, sweeps.map((sweep) => h("option", { value: sweep.index }, sweep.name)));
  const ofRuns = h("div", { class: "choice" }, runs.length > 1 ? runSelect : runs.length ? h("span", {}, runs[0].name) : null, frameSelect);
  const ofSweeps = h("div", { class: "choice" }, sweeps.length > 1 ? sweepSelect : sweeps.length ? h("span", {}, sweeps[0].name) : null);

  function keep(change: Partial<Place>) {
    place = { ...place, ...change };
    history.replaceState(null, "", address(place));
    tabs.forEach((tab, i) => (tab.href = address({ ...place, view: shown[i].id })));
  }
  // An address that names what is not there comes to name what is shown.
  function correct() {
    if (location.hash && location.hash !== address(place)) history.replaceState(null, "", address(place));
  }
  function go(change: Partial<Place>) {
    place = { ...place, ...change };
    if (address(place) === location.hash) render();
    else location.hash = address(place);
  }
  function render() {
    tabs.forEach((tab, i) => {
      tab.href = address({ ...place, view: shown[i].id });
      if (shown[i].id === place.view) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    });
    const sweepView = sweepViews.find((one) => one.id === place.view);
    ofRuns.hidden = sweepView !== undefined;
    ofSweeps.hidden = sweepView === undefined;
    if (sweepView) renderSweep(sweepView);
    else renderRun();
    drawWaiting();
    main.dataset.ready = place.view;
  }
  function renderSweep(view: SweepView) {
    const sweep = sweeps[place.sweep];
    sweepSelect.value = String(sweep.index);
    document.title = `${view.title}: ${sweep.name} (Cutaway)`;
    main.replaceChildren(h("h1", {}, view.title), h("p", { class: "print-only" }, `Cutaway: ${sweep.name}`), ...view.render(sweeps, sweep));
  }
  function renderRun() {
    const run = runs[place.run];
    const frame = run.frame(place.frame);
    const view = views.find((one) => one.id === place.view)!;
    place = { ...place, frame: frame.number };
    runSelect.value = String(run.index);
    frameSelect.replaceChildren(...run.frames.map((one) => h("option", { value: one.number }, one.title)));
    frameSelect.value = String(frame.number);
    document.title = `${view.title}: ${frame.title}, ${run.name} (Cutaway)`;
    main.replaceChildren(
      h("h1", {}, view.title),
      h("p", { class: "print-only" }, `Cutaway: ${run.name}, ${frame.title}`),
      ...view.render({ runs, run, frame, lines, declarations, place, go, keep }),
    );
  }
  window.addEventListener("hashchange", () => {
    place = placeOf(location.hash, runs, sweeps);
    correct();
    render();
    window.scrollTo(0, 0);
  });
  window.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const view = shown[Number(event.key) - 1];
    if (view) go({ view: view.id });
  });
  page.append(
    h("a", { href: "#main", class: "skip", onclick: (event: Event) => (event.preventDefault(), main.focus()) }, "To the content"),
    h(
      "header",
      {},
      h("strong", { class: "logo" }, "Cutaway"),
      h("nav", { "aria-label": "Views" }, tabs),
      h("div", { class: "choice" }, ofRuns, ofSweeps, startTheme(() => render())),
    ),
    main,
  );
  correct();
  render();
}

async function open() {
  const page = document.getElementById("page")!;
  const text = document.getElementById("data")!;
  try {
    const data = await readData(text.textContent ?? "");
    text.remove(); // its text need not be kept
    const names = runNames(data.runs);
    const titles = sweepNames(data.sweeps);
    start(
      data.runs.map((run, i) => new Run(run, i, names)),
      data.sweeps.map((sweep, i) => new Sweep(sweep, i, titles[i])),
      data.lines,
      data.declarations,
    );
  } catch (error) {
    page.replaceChildren(h("p", { class: "warning" }, `The page cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
    throw error;
  }
}

void open();
