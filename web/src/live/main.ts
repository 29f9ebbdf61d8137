// The live view: asks the command for its state a few times a second, shows it, and gives it orders.
import "../style.css";
import "./live.css";
import { h } from "../dom";
import { figures, finishedList, headline, holdsUp, meter, queueTable, rateLine, recordedList, runningTable, unitTable } from "./parts";
import { order, readState, type State } from "./state";

const kInterval = 400; // milliseconds
const kRates = 300; // kept for the line of the rate

let last: State | null = null;
let chosen = 0; // frame
let gone = 0; // tries without an answer
const rates: number[] = [];

const page = document.getElementById("page")!;
const pauseButton = h("button", { type: "button", id: "pause", title: "Space", disabled: true, onclick: () => void pause() }, "Pause");
const recordButton = h("button", { type: "button", id: "record", title: "r", disabled: true, onclick: () => void record(chosen) }, "Record timeline");
const status = h("p", { class: "verdict", id: "status", role: "status", "aria-live": "polite" }, "Asking the command for its state");
const problem = h("p", { class: "warning", role: "alert", hidden: true });
const name = h("span", { class: "live-name" });
const body = h("div", { id: "body" });

function setTheme(theme: "light" | "dark") {
  document.documentElement.dataset.theme = theme;
}
setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const themeButton = h("button", { type: "button", class: "theme", title: "Dark or light", "aria-label": "Dark or light", onclick: () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark") }, "◐");

async function give(text: string) {
  const error = await order(text);
  problem.hidden = error === null;
  problem.textContent = error ?? "";
  await refresh();
}
const pause = () => (last ? give(last.paused ? "resume" : "pause") : Promise.resolve());
const record = (frame: number) => (last ? give(last.recording !== null ? "stop" : `record?frame=${frame}`) : Promise.resolve());

// What has the focus keeps it, and what was scrolled stays where it was.
function replaceBody(parts: Element[]) {
  const focused = document.activeElement instanceof HTMLElement && body.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const scrolled = [...body.querySelectorAll<HTMLElement>(".scroller")].map((one) => [one.getAttribute("aria-label"), one.scrollTop] as const);
  body.replaceChildren(...parts);
  for (const [label, top] of scrolled) {
    const again = body.querySelector<HTMLElement>(`.scroller[aria-label="${label}"]`);
    if (again) again.scrollTop = top;
  }
  if (focused) body.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus();
}

function show(state: State) {
  if (!state.running.some((one) => one.frame === chosen)) chosen = state.running[0]?.frame ?? 0;
  const running = state.running.find((one) => one.frame === chosen);
  const over = state.state === "done";
  name.textContent = `${state.what} on ${state.gpu}`;
  document.title = `${Math.floor(state.share * 100)} % ${state.paused ? "paused" : state.state} (Cutaway)`;
  status.textContent = headline(state);
  pauseButton.disabled = over;
  pauseButton.textContent = state.paused ? "▶ Resume" : "❚❚ Pause";
  pauseButton.setAttribute("aria-pressed", String(state.paused));
  recordButton.disabled = over || !state.can_record || (state.recording === null && (!running || running.warming_up));
  recordButton.textContent = state.recording !== null ? `■ Stop recording frame ${state.recording}` : "● Record timeline";
  recordButton.classList.toggle("recording", state.recording !== null);
  if (!state.paused && state.state === "simulating") rates.push(state.cycles_per_second);
  if (rates.length > kRates) rates.shift();
  const choose = (frame: number) => {
    chosen = frame;
    if (last) show(last);
  };
  replaceBody([
    h("div", { class: "overall" }, meter(over ? 1 : state.share, "All frames", "busy")),
    figures(state),
    rateLine(rates),
    h("h2", {}, "Frames under way"),
    runningTable(state, chosen, choose, (frame) => void record(frame)),
    ...(running
      ? [
          h("div", { class: "live-split" },
            h("section", {}, h("h2", {}, `Who holds frame ${running.frame} up`), holdsUp(running.units), h("h2", {}, "Queues, the fullest first"), queueTable(running.queues)),
            h("section", {}, h("h2", {}, "Where the cycles of each unit go"), ...unitTable(running.units)),
          ),
        ]
      : []),
    ...recordedList(state.recordings),
    ...finishedList(state),
  ]);
  body.dataset.ready = state.state;
}

async function refresh() {
  try {
    const state = await readState();
    gone = 0;
    last = state;
    show(state);
  } catch {
    gone++;
    // One try may fall into the end of the command.
    if (gone < 2) return;
    const done = last?.state === "done";
    status.textContent = done ? "Done: the command has ended" : "The command has ended, or does not answer; its last lines tell more";
    document.title = `${done ? "done" : "ended"} (Cutaway)`;
    pauseButton.disabled = recordButton.disabled = true;
    body.classList.toggle("ended", !done);
  }
}

async function follow() {
  for (;;) {
    await refresh();
    await new Promise((wake) => setTimeout(wake, gone > 2 ? 3000 : kInterval));
  }
}

window.addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === " " && target.tagName !== "BUTTON" && !pauseButton.disabled) {
    event.preventDefault();
    void pause();
  }
  if (event.key === "r" && !recordButton.disabled) void record(chosen);
});

page.append(
  h("header", {}, h("strong", { class: "logo" }, "Cutaway"), name, h("div", { class: "choice" }, pauseButton, recordButton, themeButton)),
  h("main", { id: "main" }, h("h1", {}, "Live view"), status, problem, body, h("p", { class: "note keys" }, "Space pauses and goes on, r records a timeline of the chosen frame and stops it. Shares are of the last quarter of a second. Nothing here changes a figure.")),
);
void follow();
