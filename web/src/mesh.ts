// A draw's mesh as wireframe: over the picture of its target, or turned by hand.
import { blank, type Mesh } from "./draw_views";
import { fixed, number } from "./dom";
import { table } from "./table";

const nearest = 1e-6; // of w: what is nearer to the eye is cut off
const cutAt = 1e-3; // of the distance of an edge's far end: there it is cut off, far out of sight
const side = 480; // pixels of the view that turns

type Point = [number, number, number, number];
type Line = (x0: number, y0: number, x1: number, y1: number) => void;

const at = (mesh: Mesh, vertex: number): Point => [mesh.positions[vertex * 4], mesh.positions[vertex * 4 + 1], mesh.positions[vertex * 4 + 2], mesh.positions[vertex * 4 + 3]];

// Calls for each edge once.
function edges(mesh: Mesh, visit: (a: number, b: number) => void) {
  const { corners, indices } = mesh;
  const seen = new Set<number>();
  const vertices = mesh.positions.length / 4;
  const edge = (a: number, b: number) => {
    const key = Math.min(a, b) * vertices + Math.max(a, b);
    if (!seen.has(key)) seen.add(key), visit(a, b);
  };
  for (let i = 0; i + corners <= indices.length; i += corners) {
    if (corners === 1) visit(indices[i], indices[i]);
    else if (corners === 2) edge(indices[i], indices[i + 1]);
    else for (let k = 0; k < 3; k++) edge(indices[i + k], indices[i + ((k + 1) % 3)]);
  }
}

// Edges in pixels of the target, cut off behind the eye.
function project(mesh: Mesh, line: Line) {
  const pixel = ([x, y, , w]: Point): [number, number] => [(x / w) * mesh.scale[0] + mesh.offset[0], (y / w) * mesh.scale[1] + mesh.offset[1]];
  edges(mesh, (first, second) => {
    let a = at(mesh, first),
      b = at(mesh, second);
    if (a[3] < nearest && b[3] < nearest) return;
    if (a[3] < nearest) [a, b] = [b, a];
    if (b[3] < nearest) {
      const t = (a[3] * (1 - cutAt)) / (a[3] - b[3]);
      b = a.map((value, i) => value + (b[i] - value) * t) as Point;
    }
    line(...pixel(a), ...pixel(b));
  });
}

function stroke(context: CanvasRenderingContext2D, color: string, lines: (line: Line) => void, width = 1) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.beginPath();
  lines((x0, y0, x1, y1) => {
    if (![x0, y0, x1, y1].every((value) => Math.abs(value) < 1e7)) return;
    if (x0 === x1 && y0 === y1) context.rect(x0 - 1, y0 - 1, 2, 2);
    else context.moveTo(x0, y0), context.lineTo(x1, y1);
  });
  context.stroke();
}

export function drawOnTarget(mesh: Mesh, context: CanvasRenderingContext2D) {
  const width = Math.max(1, context.canvas.width / 640); // seen when the picture is made smaller
  stroke(context, "#000a", (line) => project(mesh, line), 2 * width);
  stroke(context, "#ffdf3f", (line) => project(mesh, line), width);
}

// x, y and the distance from the eye: w, or z of a parallel projection. In a cube of side 1 around 0.
function places(mesh: Mesh): number[][] {
  const count = mesh.positions.length / 4;
  const all = Array.from({ length: count }, (_, i) => at(mesh, i)).map(([x, y, z, w]) => [x, y, z, w]);
  const range = (k: number) => {
    let least = Infinity,
      most = -Infinity;
    for (const one of all) if (Number.isFinite(one[k])) (least = Math.min(least, one[k])), (most = Math.max(most, one[k]));
    return [least, most];
  };
  const depth = range(3)[1] - range(3)[0] > 1e-4 ? 3 : 2;
  const ranges = [0, 1, depth].map(range);
  const size = Math.max(...ranges.map(([least, most]) => most - least), 1e-9);
  return all.map((one) => [0, 1, depth].map((k, i) => (one[k] - (ranges[i][0] + ranges[i][1]) / 2) / size));
}

// The mesh alone, turned with the mouse or the arrow keys.
export function turningMesh(mesh: Mesh): HTMLElement {
  const canvas = blank(side, side);
  canvas.className = "turning";
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "The mesh; drag it or use the arrow keys to turn it");
  const points = places(mesh);
  let yaw = 0.6,
    pitch = 0.4;
  function draw() {
    const context = canvas.getContext("2d")!;
    context.clearRect(0, 0, side, side);
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    const seen = points.map(([x, y, z]) => {
      const turned = z * cy - x * sy;
      return [(0.5 + (x * cy + z * sy) * 0.62) * side, (0.5 + (y * cp - turned * sp) * 0.62) * side];
    });
    stroke(context, getComputedStyle(canvas).color, (line) => edges(mesh, (a, b) => line(seen[a][0], seen[a][1], seen[b][0], seen[b][1])), 0.8);
  }
  let from: [number, number] | null = null;
  const turn = (x: number, y: number) => ((yaw += x), (pitch += y), draw());
  canvas.addEventListener("pointerdown", (event) => ((from = [event.clientX, event.clientY]), canvas.setPointerCapture(event.pointerId)));
  canvas.addEventListener("pointerup", () => (from = null));
  canvas.addEventListener("pointermove", (event) => {
    if (!from) return;
    turn((event.clientX - from[0]) * 0.01, (event.clientY - from[1]) * 0.01);
    from = [event.clientX, event.clientY];
  });
  canvas.addEventListener("keydown", (event) => {
    const by: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    if (!by[event.key]) return;
    event.preventDefault();
    turn(...by[event.key]);
  });
  requestAnimationFrame(draw);
  return canvas;
}

export function vertexTable(mesh: Mesh): HTMLElement {
  const rows = Array.from({ length: mesh.positions.length / 4 }, (_, i) => i);
  const part = (k: number) => (vertex: number) => mesh.positions[vertex * 4 + k];
  return table(
    rows,
    [
      { title: "vertex", tip: "position that differs from the others', in the order of the draw", value: (vertex) => vertex },
      ...["x", "y", "z", "w"].map((title, k) => ({ title, tip: "in clip space", value: part(k), show: (vertex: number) => fixed(part(k)(vertex), 4) })),
      { title: "pixel x", value: (vertex) => (part(0)(vertex) / part(3)(vertex)) * mesh.scale[0] + mesh.offset[0], show: (vertex) => fixed((part(0)(vertex) / part(3)(vertex)) * mesh.scale[0] + mesh.offset[0], 1) },
      { title: "pixel y", value: (vertex) => (part(1)(vertex) / part(3)(vertex)) * mesh.scale[1] + mesh.offset[1], show: (vertex) => fixed((part(1)(vertex) / part(3)(vertex)) * mesh.scale[1] + mesh.offset[1], 1) },
    ],
    { name: "Vertices of the draw", height: 420 },
  );
}

export function meshText(mesh: Mesh): string {
  const what = ["", "points", "lines", "triangles"][mesh.corners];
  const left = mesh.leftOut ? `; ${number(mesh.leftOut)} more are not shown` : "";
  return `${number(mesh.indices.length / mesh.corners)} ${what} with ${number(mesh.positions.length / 4)} different positions, as they reach the rasteriser, before clipping${left}`;
}
