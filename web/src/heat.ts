// Counts of tiles over the picture of a frame.
import { h, number } from "./dom";
import type { Frame } from "./model";
import type { Context, View } from "./view";

const tile = 8; // pixels

// From dark over orange to bright, rising in lightness throughout.
const stops = [
  [0, 0, 4], [40, 11, 84], [101, 21, 110], [159, 42, 99], [212, 72, 66], [245, 125, 21], [250, 193, 39], [252, 255, 164],
];
export function heat(share: number): number[] {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  return stops[k].map((from, i) => Math.round(from + (stops[k + 1][i] - from) * (at - k)));
}

const titles: Record<string, string> = {
  generated: "fragments generated",
  killed_hz: "killed by hierarchical Z",
  killed_z: "killed by the depth test",
  killed_stencil: "killed by the stencil test",
  killed_shader: "killed by their program",
  shaded: "fragments shaded",
  helpers: "helper fragments",
  shader_cycles: "cycles of shader units",
  instructions: "instructions",
  texture_requests: "texture requests",
  texture_misses: "texture cache misses",
  written: "samples written",
  last_write: "cycle of the last write",
};

interface Map2 {
  width: number; // tiles
  height: number;
  values: Float64Array;
  most: number;
}

// Sums of the chosen passes; of cycles, the last.
function sums(frame: Frame, column: string, pass: number | null): Map2 {
  const tiles = frame.data.tiles!;
  const { pass: passes, x, y } = tiles;
  const values = tiles[column];
  const chosen = passes.map((_, i) => i).filter((i) => pass === null || passes[i] === pass);
  let width = 1,
    height = 1;
  for (const i of chosen) (width = Math.max(width, (x[i] ?? 0) + 1)), (height = Math.max(height, (y[i] ?? 0) + 1));
  width = Math.min(width, 4096), height = Math.min(height, 4096);
  const map: Map2 = { width, height, values: new Float64Array(width * height), most: 0 };
  for (const i of chosen) {
    const at = (y[i] ?? 0) * width + (x[i] ?? 0);
    if (!(at >= 0 && at < map.values.length)) continue;
    map.values[at] = column === "last_write" ? Math.max(map.values[at], values[i] ?? 0) : map.values[at] + (values[i] ?? 0);
    map.most = Math.max(map.most, map.values[at]);
  }
  return map;
}

export const heatMaps: View = {
  id: "heat",
  title: "Heat maps",
  render: (context: Context) => {
    const { frame } = context;
    const tiles = frame.data.tiles;
    if (!tiles || !tiles.x?.length)
      return [h("p", {}, "This run has no counts of tiles, so there are no heat maps.")];
    const columns = Object.keys(tiles).filter((name) => !["pass", "x", "y"].includes(name)).sort((a, b) => Object.keys(titles).indexOf(a) - Object.keys(titles).indexOf(b));
    const passes = [...new Set(tiles.pass)].filter((pass) => pass !== null);
    const largest = passes.slice().sort((a, b) => (frame.data.passes.marginal_cycles[b] ?? 0) - (frame.data.passes.marginal_cycles[a] ?? 0))[0];
    const canvas = h("canvas", { class: "heat", role: "img", "aria-label": "Heat map" });
    const under = frame.data.picture ? h("img", { src: `data:image/png;base64,${frame.data.picture}`, alt: "", class: "under" }) : null;
    const told = h("output", { class: "moment" }, "Point at a tile.");
    const scale = h("canvas", { class: "scale", width: 256, height: 1, "aria-hidden": true });
    const most = h("span");
    const opacity = h("input", { type: "range", min: 0, max: 100, value: 75, "aria-label": "Opacity", oninput: () => (canvas.style.opacity = String(opacity.valueAsNumber / 100)) });
    const metric = h("select", { onchange: () => draw() }, columns.map((name) => h("option", { value: name }, titles[name] ?? name.replace(/_/g, " "))));
    const which = h("select", { onchange: () => draw() }, h("option", { value: "" }, "all passes"), passes.map((pass) => h("option", { value: pass }, `pass ${pass}: ${frame.passLabel(pass)}`)));
    if (largest !== undefined) which.value = String(largest);
    let map = sums(frame, columns[0], null);
    let at = { x: 0, y: 0 };
    function draw() {
      map = sums(frame, metric.value, which.value === "" ? null : Number(which.value));
      canvas.width = map.width;
      canvas.height = map.height;
      const ctx = canvas.getContext("2d")!;
      const image = ctx.createImageData(map.width, map.height);
      map.values.forEach((value, i) => image.data.set([...heat(map.most ? value / map.most : 0), 255], i * 4));
      ctx.putImageData(image, 0, 0);
      most.textContent = metric.value === "last_write" ? `cycle ${number(map.most)}` : `${number(map.most)} ${titles[metric.value] ?? metric.value}, the most in a tile`;
      // Over the picture where the pass has its size.
      const pass = which.value === "" ? null : Number(which.value);
      const width = pass === null ? null : frame.data.passes.width[pass];
      if (under) under.hidden = !(under.naturalWidth === 0 || width === null || width === under.naturalWidth);
      stage.style.aspectRatio = `${map.width} / ${map.height}`;
      stage.style.setProperty("--aspect", String(map.width / map.height));
      tell();
    }
    function tell() {
      const value = map.values[at.y * map.width + at.x] ?? 0;
      told.textContent = `tile ${at.x}, ${at.y} (pixels ${at.x * tile}, ${at.y * tile}): ${metric.value === "last_write" ? (value ? `last written in cycle ${number(value)}` : "not written") : `${number(value)} ${titles[metric.value] ?? metric.value}`}`;
    }
    const stage = h("div", { class: "stage", tabindex: 0, role: "application", "aria-label": "Heat map; arrow keys go from tile to tile" }, under, canvas);
    stage.addEventListener("pointermove", (event) => {
      const area = canvas.getBoundingClientRect();
      at = { x: Math.min(map.width - 1, Math.max(0, Math.floor(((event.clientX - area.left) / area.width) * map.width))), y: Math.min(map.height - 1, Math.max(0, Math.floor(((event.clientY - area.top) / area.height) * map.height))) };
      tell();
    });
    stage.addEventListener("keydown", (event) => {
      const step: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const by = step[event.key];
      if (!by) return;
      at = { x: Math.min(map.width - 1, Math.max(0, at.x + by[0])), y: Math.min(map.height - 1, Math.max(0, at.y + by[1])) };
      tell();
      event.preventDefault();
    });
    const legend = scale.getContext("2d")!;
    const ramp = legend.createImageData(256, 1);
    for (let i = 0; i < 256; i++) ramp.data.set([...heat(i / 255), 255], i * 4);
    legend.putImageData(ramp, 0, 0);
    canvas.style.opacity = "0.75";
    under?.addEventListener("load", draw);
    draw();
    return [
      h("div", { class: "tools" }, h("label", {}, "Show ", metric), h("label", {}, "of ", which), h("label", {}, "over the picture ", opacity)),
      h("div", { class: "tools" }, "0", scale, most, told),
      stage,
    ];
  },
};
