// Of a chosen draw: its targets before and after it, its mesh and its textures.
import { h, number } from "./dom";
import { blank, filmOf, meshOf, type Mesh, type TargetFilm, targetsOf } from "./draw_views";
import { drawOnTarget, meshText, turningMesh, vertexTable } from "./mesh";
import type { Frame } from "./model";
import type { Context } from "./view";

// What a reader has chosen holds for the next draw too.
const kept = { marked: true, wires: false, flipped: false };

// The reason that a draw has no pictures, or a warning about those that there are.
export function viewsRemark(frame: Frame, work: number | null): HTMLElement | null {
  const { views } = frame.data;
  if (views.remark) return h("p", { class: "note remark" }, views.remark);
  if (views.last !== null && (work === null || work > views.last))
    return h("p", { class: "note remark" }, `Pictures of this frame end with work ${views.last}: \`cutaway report --pictures MB\` makes room for more.`);
  return null;
}

function targetName(frame: Frame, target: number): string {
  const { targets } = frame.data.views;
  const { states } = frame.data;
  const given = states.targets.flatMap((one) => [...(Array.isArray(one?.color) ? one.color : []), one?.depth]).find((surface) => surface?.address === targets.address[target] && surface?.name)?.name;
  const samples = targets.samples[target] > 1 ? `, mean of ${targets.samples[target]} samples` : "";
  return `${given ? `${given}, ` : ""}${targets.width[target]} × ${targets.height[target]} ${targets.format[target]}${targets.depth[target] ? ", depth: brighter is nearer" : ""}${samples} at ${targets.address[target]}`;
}

// Darkens what the draw has not changed, and frames what it has.
async function mark(film: TargetFilm, work: number, canvas: HTMLCanvasElement, frame: Frame) {
  const cover = blank(film.width, film.height);
  const context = cover.getContext("2d")!;
  context.fillStyle = "rgba(0, 0, 0, 0.6)";
  context.fillRect(0, 0, film.width, film.height);
  context.globalCompositeOperation = "destination-out";
  const { x, y } = frame.data.views.changes;
  for (const change of film.changesOf(work)) {
    const image = await film.image(change);
    // The first picture of a target is all of it.
    context.drawImage(image, x[change], y[change]);
    image.close();
  }
  const marked = canvas.getContext("2d")!;
  marked.drawImage(cover, 0, 0);
  const { width, height } = frame.data.views.changes;
  const border = Math.max(1, film.width / 400); // seen when the picture is made smaller
  marked.strokeStyle = "#ff3fa4";
  marked.lineWidth = border;
  for (const change of film.changesOf(work)) marked.strokeRect(x[change] - border / 2, y[change] - border / 2, width[change] + border, height[change] + border);
}

function beforeAndAfter(context: Context, work: number, mesh: Promise<Mesh | null>): HTMLElement[] {
  const { frame, lines } = context;
  const targets = targetsOf(frame, work);
  if (!targets.length) return [];
  let film = filmOf(frame, targets[0], lines);
  const figure = (title: string) => {
    const canvas = h("canvas", { class: "target", role: "img", "aria-label": `The target ${title} the draw` });
    const text = h("figcaption", {}, title);
    return { canvas, text, element: h("figure", {}, text, canvas) };
  };
  const before = figure("before"),
    after = figure("after");
  const box = (key: keyof typeof kept, text: string) => {
    const input: HTMLInputElement = h("input", { type: "checkbox", onchange: () => ((kept[key] = input.checked), void show()) });
    input.checked = kept[key];
    return h("label", {}, input, ` ${text}`);
  };
  const select = h("select", { "aria-label": "Target of the draw", onchange: () => ((film = filmOf(frame, Number(select.value), lines)), void show()) }, targets.map((target) => h("option", { value: target }, targetName(frame, target))));
  const pair = h("div", { class: "pair" }, before.element, after.element);
  let turn = 0;
  async function show() {
    const mine = ++turn;
    const changes = film.changesOf(work);
    const area = frame.data.views.changes;
    const one = blank(film.width, film.height),
      two = blank(film.width, film.height);
    await film.paint(film.countUpTo(work, false), one);
    await film.paint(film.countUpTo(work, true), two);
    if (kept.marked && changes.length) await mark(film, work, two, frame);
    const wires = kept.wires ? await mesh : null;
    if (wires) drawOnTarget(wires, two.getContext("2d")!);
    if (mine !== turn) return;
    for (const [to, from] of [[before.canvas, one], [after.canvas, two]]) {
      to.width = film.width;
      to.height = film.height;
      to.style.transform = kept.flipped ? "scaleY(-1)" : "";
      to.getContext("2d")!.drawImage(from, 0, 0);
    }
    const text = changes.map((i) => `${number(area.width[i])} × ${number(area.height[i])} pixels from ${area.x[i]}, ${area.y[i]}`).join("; ");
    after.text.textContent = changes.length ? `after: colors changed within ${text}` : "after: no color has changed";
    pair.dataset.ready = `${work}`;
  }
  void show();
  return [
    h("div", { class: "tools" }, h("label", {}, "Target ", select), box("marked", "mark what it changed"), box("wires", "wireframe"), box("flipped", "flip Y")),
    pair,
  ];
}

function textures(frame: Frame, work: number, lines: string[]): HTMLElement[] {
  const { uses, textures: all } = frame.data.views;
  const rows = uses.work.flatMap((one, i) => (one === work ? [i] : []));
  if (!rows.length) return [];
  const state = frame.data.work.state[work];
  const bound = state === null ? null : frame.data.states.textures[state];
  const nameAt = (address: string) => (Array.isArray(bound) ? bound.find((surface) => surface?.address === address && surface.name)?.name : undefined);
  return [
    h("h4", {}, "Textures that it reads"),
    h(
      "div",
      { class: "textures" },
      rows.map((row) => {
        const texture = uses.texture[row];
        const shown = all.level[texture] > 0 || all.width[texture] !== all.full_width[texture] ? `, shown: ${all.width[texture]} × ${all.height[texture]}${all.level[texture] > 0 ? ` of level ${all.level[texture]}` : ""}` : "";
        const name = nameAt(all.address[texture]);
        return h(
          "figure",
          {},
          h("img", { src: `data:image/png;base64,${lines[all.line[texture]]}`, alt: `Texture ${uses.binding[row]} of the ${uses.stage[row]} program`, loading: "lazy" }),
          h("figcaption", {}, `${uses.stage[row].replace(/_/g, " ")} ${uses.binding[row]}${name ? `: ${name}` : ""}`, h("br"), `${all.full_width[texture]} × ${all.full_height[texture]} ${all.format[texture]}${shown}`),
        );
      }),
    ),
  ];
}

export function drawPictures(context: Context, work: number): HTMLElement[] {
  const { frame, lines } = context;
  if (frame.data.work.kind[work] !== "draw") return [];
  const remark = viewsRemark(frame, work);
  const { last } = frame.data.views;
  if (last !== null && work > last) return remark ? [remark] : [];
  const mesh = meshOf(frame, work, lines);
  const meshPart = h("div", { class: "mesh" });
  mesh.then((found) => {
    if (!found) return;
    const details = h("details", { ontoggle: () => details.open && details.children.length === 1 && details.append(vertexTable(found)) }, h("summary", {}, "Vertices"));
    meshPart.replaceChildren(h("h4", {}, "Mesh"), h("p", { class: "note" }, meshText(found)), turningMesh(found), details);
  });
  const shown = beforeAndAfter(context, work, mesh);
  const read = textures(frame, work, lines);
  return [
    ...(remark ? [remark] : []),
    ...(shown.length ? [h("h4", {}, "Target before and after it"), ...shown] : []),
    h("div", { class: "columns mesh-and-textures" }, meshPart, ...(read.length ? [h("div", {}, read)] : [])),
  ];
}

// Of a frame that is not displayed: its largest color target after the last draw.
export function lastTarget({ frame, lines }: Context): HTMLElement | null {
  const { targets } = frame.data.views;
  const size = (target: number) => (targets.depth[target] ? 0 : targets.width[target] * targets.height[target]);
  const largest = targets.width.map((_, i) => i).reduce((best, one) => (best < 0 || size(one) >= size(best) ? one : best), -1);
  if (largest < 0) return null;
  const film = filmOf(frame, largest, lines);
  const canvas = h("canvas", { class: "picture", role: "img", "aria-label": "A target after the last draw", width: film.width, height: film.height });
  void film.paint(film.changes.length, canvas);
  return h("div", {}, canvas, h("p", { class: "note" }, `Nothing is displayed. This is a target after its last draw: ${targetName(frame, largest)}.`));
}
