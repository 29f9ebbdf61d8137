// What became of each fragment: the picture after each draw and over cycles, and the history of a pixel.
import { h, number } from "./dom";
import { byWork, eventsOf, historyOf, Picture, surfacesOf, writesTo } from "./fragments";
import type { Events, Moment, Surface } from "./fragments";
import { heat } from "./heat";
import type { Frame } from "./model";
import { table } from "./table";
import type { Context, View } from "./view";

const mostPixels = 1 << 26; // of a surface
const modes = {
  color: "color",
  draw_stands_out: "color, the last draw standing out",
  order: "when it was written last, from first to last",
  work: "which draw wrote it last",
};
type Mode = keyof typeof modes;
type Step = "draw" | "cycle";

// Where a reader was in a frame, so that another view may be looked at meanwhile.
interface Kept {
  surface: number;
  mode: Mode;
  step: Step;
  at: Record<Step, number>;
  zoom: string;
  flipped: boolean;
}
const kept = new WeakMap<Frame, Kept>();

const packed = (r: number, g: number, b: number): number => (0xff000000 | b << 16 | g << 8 | r) >>> 0;
const opaque = (color: number): number => (color | 0xff000000) >>> 0;
// Neighbouring numbers have colors that are far apart.
function colorOfWork(work: number): number {
  const hue = (work * 137.508) % 360;
  const part = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (0.55 - 0.33 * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return packed(part(0), part(8), part(4));
}
// How many of ascending values are at most `most`.
function countUpTo(values: number, most: (i: number) => boolean): number {
  let low = 0,
    high = values;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (most(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The name that the program has given to what lies there, if it has.
function givenName(frame: Frame, address: string): string {
  for (const targets of frame.data.states.targets)
    for (const one of [...(Array.isArray(targets?.color) ? targets.color : []), targets?.depth]) if (one?.address === address && one.name) return `${one.name}, `;
  return "";
}

function surfaceName(frame: Frame, surface: Surface): string {
  const { first, passes } = surface;
  const shown = [...passes.keys()];
  const of = `${shown.length > 1 ? "passes" : "pass"} ${shown.length > 4 ? `${shown.slice(0, 4).join(", ")}, …` : shown.join(", ")}`;
  const what = first.target < 0 ? "depth" : `color ${first.target}`;
  return `${of}: ${givenName(frame, first.address)}${what}, ${first.width} × ${first.height} ${first.format}${first.samples > 1 ? `, ${first.samples} samples` : ""}`;
}

export const swatch = (color: number): HTMLElement => {
  const [r, g, b, a] = [0, 8, 16, 24].map((shift) => color >>> shift & 255);
  const hex = `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  return h("span", { class: "swatch" }, h("i", { style: `background:${hex}` }), `${hex}, alpha ${a}`);
};

// A surface of a frame with all that is drawn to it.
class Film {
  readonly writes: Record<Step, Uint32Array>;
  readonly draws: number[]; // work in the surface's passes
  readonly picture: Picture;
  readonly passOf: number[];

  constructor(
    readonly frame: Frame,
    readonly events: Events,
    readonly surface: Surface,
  ) {
    const { work } = frame.data;
    this.passOf = work.pass;
    const cycle = writesTo(events, surface, this.passOf);
    this.writes = { cycle, draw: byWork(events, cycle) };
    this.draws = work.work.filter((one) => work.kind[one] === "draw" && surface.passes.has(work.pass[one]));
    this.picture = new Picture(events, surface.first.width, surface.first.height, cycle);
  }
  steps(step: Step): number {
    return step === "draw" ? this.draws.length : this.frame.cycles;
  }
  seek(step: Step, at: number) {
    const { events } = this;
    const writes = this.writes[step];
    const last = at > 0 ? this.draws[at - 1] : -1;
    const count =
      step === "draw"
        ? countUpTo(writes.length, (i) => events.work[writes[i]] <= last)
        : countUpTo(writes.length, (i) => events.cycle[writes[i]] <= at);
    this.picture.seek(count, writes);
  }
  paint(mode: Mode, current: number | null): ImageData {
    const { picture, events } = this;
    const image = new ImageData(picture.width, picture.height);
    const pixels = new Uint32Array(image.data.buffer);
    const { cycle: order } = this.writes;
    const first = order.length ? events.cycle[order[0]] : 0;
    const span = order.length ? Math.max(1, events.cycle[order[order.length - 1]] - first) : 1;
    const ramp = Array.from({ length: 256 }, (_, i) => packed(...(heat(i / 255) as [number, number, number])));
    const ofWork = new Map<number, number>();
    for (let i = 0; i < pixels.length; i++) {
      const event = picture.last[i];
      if (event < 0) continue;
      if (mode === "order") pixels[i] = ramp[Math.round(((events.cycle[event] - first) / span) * 255)];
      else if (mode === "work") {
        const work = events.work[event];
        let color = ofWork.get(work);
        if (color === undefined) ofWork.set(work, (color = colorOfWork(work)));
        pixels[i] = color;
      } else if (mode === "draw_stands_out" && events.work[event] !== current) {
        const c = picture.color[i];
        const grey = 90 + Math.round(((c & 255) * 0.3 + (c >>> 8 & 255) * 0.59 + (c >>> 16 & 255) * 0.11) * 0.2);
        pixels[i] = packed(grey, grey, grey);
      } else pixels[i] = opaque(picture.color[i]);
    }
    return image;
  }
}

function missing(context: Context): Node[] {
  const capture = context.run.meta.get("capture")?.split("/").pop() || "FILE";
  return [
    h("p", {}, "This run has no log of the fragments of this frame. To keep one:"),
    h("p", { class: "code" }, `cutaway simulate ${capture} --frames ${context.frame.number} --stats fragments --out DIR`),
  ];
}

function nameOfWork(frame: Frame, work: number): string {
  return `${work}: ${frame.workLabel(work)}${frame.data.work.of_driver[work] ? ", the driver's own" : ""}`;
}

// "5 entries: 2 written; 3 killed by the depth test"; "1 entry: written".
function historyText(ended: Map<string, number>): string {
  const all = [...ended.values()].reduce((sum, count) => sum + count, 0);
  if (all === 1) return `1 entry: ${[...ended.keys()][0]}`;
  return `${number(all)} entries: ${[...ended].map(([what, count]) => (ended.size > 1 ? `${number(count)} ${what}` : `all ${what}`)).join("; ")}`;
}

// The picture with its controls, and the history of the chosen pixel below.
function player(context: Context, events: Events, surfaces: Surface[]): Node[] {
  const { frame } = context;
  // Of those with colors, the one with the most draws.
  const draws = (one: Surface) => [...one.passes.keys()].reduce((sum, pass) => sum + (frame.data.passes.draws[pass] ?? 0), 0);
  const weight = (one: Surface) => (one.first.color ? 1e9 : 0) + draws(one);
  const largest = surfaces.reduce((a, b) => (weight(b) > weight(a) ? b : a));
  const state: Kept = kept.get(frame) ?? { surface: largest.id, mode: "color", step: "draw", at: { draw: Infinity, cycle: Infinity }, zoom: "fit", flipped: false };
  kept.set(frame, state);
  let film = new Film(frame, events, surfaces.find((one) => one.id === state.surface) ?? largest);
  let playing = false;
  let history: Moment[] = [];

  const canvas = h("canvas", { class: "pixels", role: "img", "aria-label": "The picture at this moment" });
  const marker = h("div", { class: "marker", hidden: true });
  const sheet = h("div", { class: "sheet" }, canvas, marker);
  const stage = h("div", { class: "stage scrolls", tabindex: 0, role: "application", "aria-label": "Picture; arrow keys go from pixel to pixel, page keys from draw to draw, space plays" }, sheet);
  const moment = h("output", { class: "moment" });
  const chosen = h("h2", {}, "Choose a pixel: click, or use the arrow keys in the picture");
  const rows = h("div", { class: "history" });
  const beside = h("div", { class: "beside" }, stage, h("div", {}, chosen, rows));
  const rampScale = h("canvas", { class: "scale", width: 256, height: 1, "aria-hidden": true });
  const legend = h("span", { class: "ramp", hidden: true });
  const slider = h("input", { type: "range", min: 0, "aria-label": "Moment", oninput: () => (stop(), show(slider.valueAsNumber)) });
  const play = h("button", { type: "button", onclick: () => (playing ? stop() : start()) }, "Play");
  const choice = (value: string, options: [string, string, boolean?][], label: string, change: (value: string) => void) => {
    const select: HTMLSelectElement = h("select", { "aria-label": label, onchange: () => change(select.value) }, options.map(([key, text, off]) => h("option", { value: key, disabled: off }, text)));
    select.value = value;
    return select;
  };
  // Bottom up, as OpenGL stores pictures that are drawn for a texture.
  const flip = h("input", { type: "checkbox", onchange: () => ((state.flipped = flip.checked), turn()) });
  flip.checked = state.flipped;
  const turn = () => (sheet.style.transform = state.flipped ? "scaleY(-1)" : "");
  turn();
  const seconds = choice("10", ["3", "10", "30", "120"].map((s) => [s, `in ${s} s`]), "Speed", () => {});
  const mode = choice(state.mode, Object.entries(modes), "Colors", (value) => ((state.mode = value as Mode), paint()));
  const step = choice(state.step, [["draw", "draw by draw"], ["cycle", "cycle by cycle"]], "Step", (value) => (stop(), (state.step = value as Step), show(state.at[state.step])));
  const zoom = choice(state.zoom, ["fit", "1", "2", "4", "8", "16"].map((z) => [z, z === "fit" ? "fitted" : `${z} ×`]), "Size", (value) => ((state.zoom = value), size(), mark(true)));
  const surface = choice(String(film.surface.id), surfaces.map((one) => [String(one.id), surfaceName(frame, one), one.first.width * one.first.height > mostPixels]), "Target", (value) => {
    stop();
    state.surface = Number(value);
    state.at = { draw: Infinity, cycle: Infinity };
    film = new Film(frame, events, surfaces.find((one) => one.id === state.surface)!);
    open();
  });

  const current = () => (state.step === "draw" && state.at.draw > 0 ? film.draws[state.at.draw - 1] : film.events.work[lastWrite()] ?? null);
  function lastWrite(): number {
    const writes = film.writes.cycle;
    return writes[countUpTo(writes.length, (i) => events.cycle[writes[i]] <= state.at.cycle) - 1] ?? -1;
  }
  function scale(): number {
    const { width, height } = film.picture;
    if (state.zoom !== "fit") return Number(state.zoom);
    return Math.min((beside.clientWidth || 1024) / width, Math.max(320, innerHeight * 0.62) / height);
  }
  function size() {
    const by = scale();
    sheet.style.width = `${film.picture.width * by}px`;
    sheet.style.height = `${film.picture.height * by}px`;
    canvas.classList.toggle("smaller", by * devicePixelRatio < 1); // no pixel is left out
    mark(false);
  }
  function paint() {
    legend.hidden = mode.value !== "order";
    canvas.getContext("2d")!.putImageData(film.paint(mode.value as Mode, current()), 0, 0);
  }
  function tell() {
    const at = state.at[state.step];
    const of = current();
    moment.textContent =
      state.step === "cycle"
        ? `cycle ${number(at)} of ${number(frame.cycles)}`
        : at === 0
          ? `before the first of ${number(film.draws.length)} draws`
          : `after draw ${number(at)} of ${number(film.draws.length)} (work ${nameOfWork(frame, of!)})`;
  }
  function show(at: number) {
    const most = film.steps(state.step);
    state.at[state.step] = Math.min(Math.max(0, Math.round(at)), most);
    slider.max = String(most);
    slider.valueAsNumber = state.at[state.step];
    film.seek(state.step, state.at[state.step]);
    paint();
    tell();
    moments?.refresh();
  }
  function start() {
    const most = film.steps(state.step);
    let from = state.at[state.step] >= most ? 0 : state.at[state.step];
    let before = performance.now();
    playing = true;
    play.textContent = "Pause";
    const go = (now: number) => {
      if (!playing || !canvas.isConnected) return;
      from += ((now - before) / 1000 / Number(seconds.value)) * most;
      before = now;
      if (Math.floor(from) !== state.at[state.step]) show(Math.floor(from));
      if (from >= most) stop();
      else requestAnimationFrame(go);
    };
    requestAnimationFrame(go);
  }
  function stop() {
    playing = false;
    play.textContent = "Play";
  }
  const { ends } = frame.data.fragments!;
  let moments: ReturnType<typeof table<Moment>> | null = null;
  function mark(reveal: boolean) {
    const at = context.place.pixel;
    marker.hidden = !at;
    if (!at) return;
    const by = scale();
    Object.assign(marker.style, { left: `${at[0] * by}px`, top: `${at[1] * by}px`, width: `${by}px`, height: `${by}px` });
    // Into the middle, where it is out of sight.
    const hidden = (from: number, pixel: number, seen: number) => pixel * by < from || (pixel + 1) * by > from + seen;
    if (reveal && (hidden(stage.scrollLeft, at[0], stage.clientWidth) || hidden(stage.scrollTop, at[1], stage.clientHeight)))
      stage.scrollTo((at[0] + 0.5) * by - stage.clientWidth / 2, (at[1] + 0.5) * by - stage.clientHeight / 2);
  }
  function choose(x: number, y: number) {
    const { width, height } = film.picture;
    const pixel: [number, number] = [Math.min(Math.max(0, x), width - 1), Math.min(Math.max(0, y), height - 1)];
    context.place.pixel = pixel;
    context.keep({ pixel });
    history = historyOf(events, film.surface, film.passOf, ...pixel);
    const { kinds } = frame.data.fragments!;
    const ended = new Map<string, number>();
    for (const one of history) ended.set(kinds[one.kind], (ended.get(kinds[one.kind]) ?? 0) + 1);
    chosen.textContent = `Pixel ${pixel[0]}, ${pixel[1]}`;
    const samples = film.surface.first.samples > 1;
    const several = [...film.surface.passes.keys()].some((pass) => frame.data.fragments!.targets.filter((one) => one.pass === pass).length > 1);
    moments = table<Moment>(
      history,
      [
        { title: "cycle", value: (one) => one.cycle, tip: "of the frame, in which it happened" },
        {
          title: "draw",
          text: true,
          value: (one) => nameOfWork(frame, one.work),
          show: (one) => h("a", { href: "#", title: "to the draw", onclick: (event: Event) => (event.preventDefault(), event.stopPropagation(), context.go({ view: "draws", work: one.work })) }, nameOfWork(frame, one.work)),
        },
        { title: "pass", value: (one) => film.passOf[one.work] },
        { title: "what became of it", text: true, value: (one) => kinds[one.kind] },
        ...(several ? [{ title: "target", value: (one: Moment) => (one.kind === 7 || one.kind === 8 ? one.target : null) }] : []),
        ...(samples ? [{ title: "sample", value: (one: Moment) => one.sample }] : []),
        { title: "color then", text: true, value: (one) => (one.color === null ? "" : `#${one.color.toString(16)}`), show: (one) => (one.color === null ? "" : swatch(one.color)) },
      ],
      {
        name: "History of the pixel",
        height: 340,
        empty: ends === null ? "nothing was drawn there" : `nothing is logged there up to cycle ${number(ends)}; not logged after it`,
        selected: (one) => one.order === film.picture.last[pixel[1] * width + pixel[0]],
        select: (one) => (stop(), show(state.step === "draw" ? film.draws.indexOf(one.work) + 1 : one.cycle)),
      },
    );
    rows.replaceChildren(h("p", { class: "note" }, history.length ? historyText(ended) : ""), moments);
    mark(true);
  }
  function open() {
    canvas.width = film.picture.width;
    canvas.height = film.picture.height;
    // Without colors only the others can be shown.
    for (const one of mode.options) one.disabled = !film.surface.first.color && one.value !== "order" && one.value !== "work";
    mode.value = mode.querySelector<HTMLOptionElement>(`option[value=${state.mode}]`)!.disabled ? "work" : state.mode;
    const writes = film.writes.cycle;
    const cycleOf = (write: number | undefined) => (write === undefined ? "" : `cycle ${number(events.cycle[write])}`);
    legend.replaceChildren(cycleOf(writes[0]), rampScale, cycleOf(writes[writes.length - 1]));
    size();
    show(state.at[state.step]);
    if (context.place.pixel) choose(...context.place.pixel);
  }

  const ramp = rampScale.getContext("2d")!.createImageData(256, 1);
  for (let i = 0; i < 256; i++) ramp.data.set([...heat(i / 255), 255], i * 4);
  rampScale.getContext("2d")!.putImageData(ramp, 0, 0);
  stage.addEventListener("click", (event) => {
    const area = canvas.getBoundingClientRect();
    choose(Math.floor(((event.clientX - area.left) / area.width) * film.picture.width), Math.floor(((state.flipped ? area.bottom - event.clientY : event.clientY - area.top) / area.height) * film.picture.height));
  });
  stage.addEventListener("keydown", (event) => {
    const far = event.shiftKey ? 8 : 1;
    const down = state.flipped ? -far : far;
    const by: Record<string, [number, number]> = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -down], ArrowDown: [0, down] };
    const sizes = [...zoom.options].map((one) => one.value);
    const resize = (to: number) => ((zoom.value = state.zoom = sizes[Math.min(Math.max(0, sizes.indexOf(state.zoom) + to), sizes.length - 1)]), size(), mark(true));
    const [x, y] = context.place.pixel ?? [film.picture.width >> 1, film.picture.height >> 1];
    if (by[event.key]) choose(x + (context.place.pixel ? by[event.key][0] : 0), y + (context.place.pixel ? by[event.key][1] : 0));
    else if (event.key === "PageDown") stop(), show(state.at[state.step] + (state.step === "draw" ? 1 : frame.cycles / 100));
    else if (event.key === "PageUp") stop(), show(state.at[state.step] - (state.step === "draw" ? 1 : frame.cycles / 100));
    else if (event.key === " ") play.click();
    else if (event.key === "+") resize(1);
    else if (event.key === "-") resize(-1);
    else return;
    event.preventDefault();
  });
  requestAnimationFrame(() => (open(), (stage.dataset.ready = "1")));
  return [
    ends === null ? h("span") : h("p", { class: "warning" }, `The log was full: it ends at cycle ${number(ends)} of ${number(frame.cycles)}. --fragment-limit makes room for more.`),
    h("div", { class: "tools" }, h("label", {}, "Target ", surface), h("label", {}, "Colors ", mode), h("label", {}, "Size ", zoom), h("label", {}, flip, " flip Y")),
    h("div", { class: "tools slide" }, step, play, seconds, slider),
    h("div", { class: "tools" }, moment, legend),
    beside,
    h("p", { class: "note" }, "Chequered: not written in this frame so far; what stood there before, and what copies write, the log does not tell. Several samples: sample 0 is shown."),
  ];
}

export const pixels: View = {
  id: "pixels",
  title: "Pixels",
  render: (context: Context) => {
    const log = context.frame.data.fragments;
    if (!log) return missing(context);
    const surfaces = surfacesOf(context.frame.data).filter((one) => one.first.width * one.first.height > 0);
    if (!surfaces.length) return [h("p", {}, "This frame draws to no target.")];
    const content = h("div", {}, h("p", { role: "status" }, `Reading the log: ${number(log.events)} quads…`));
    eventsOf(context.frame.data, context.lines).then(
      (events) => content.isConnected && content.replaceChildren(...player(context, events, surfaces)),
      (error) => content.replaceChildren(h("p", { class: "warning" }, `The log cannot be read: ${error instanceof Error ? error.message : String(error)}`)),
    );
    return [content];
  },
};
