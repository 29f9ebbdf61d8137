// Targets before and after draws, meshes and textures, as the page's lines hold them.
import type { FrameData } from "./data";
import type { Frame } from "./model";

export type Views = FrameData["views"];

const checkpointPixels = 1 << 24; // of copies of a target that are kept to go back from
const mostCheckpoints = 32;

export function bytesOf(line: string): Uint8Array<ArrayBuffer> {
  const binary = atob(line);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
const bitmapOf = (line: string): Promise<ImageBitmap> => createImageBitmap(new Blob([bytesOf(line)], { type: "image/png" }), { colorSpaceConversion: "none" });

export function blank(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

// A target of a frame: what it showed after any number of its changes.
export class TargetFilm {
  readonly changes: number[]; // of Views.changes
  readonly width: number;
  readonly height: number;
  private readonly canvas: HTMLCanvasElement;
  private at = 0; // changes that the canvas shows
  private readonly checkpoints = new Map<number, HTMLCanvasElement>();
  private readonly apart: number;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly views: Views,
    readonly target: number,
    private readonly lines: string[],
  ) {
    this.width = views.targets.width[target];
    this.height = views.targets.height[target];
    this.changes = views.changes.work.map((_, i) => i).filter((i) => views.changes.target[i] === target);
    this.canvas = blank(this.width, this.height);
    const copies = Math.min(mostCheckpoints, Math.max(1, Math.floor(checkpointPixels / Math.max(1, this.width * this.height))));
    this.apart = Math.max(8, Math.ceil(this.changes.length / copies));
  }
  // How many changes there are up to a moment of a piece of work.
  countUpTo(work: number, after: boolean): number {
    const { changes } = this.views;
    return this.changes.filter((i) => changes.work[i] < work || (changes.work[i] === work && (after || changes.before[i]))).length;
  }
  changesOf(work: number): number[] {
    const { changes } = this.views;
    return this.changes.filter((i) => changes.work[i] === work && !changes.before[i]);
  }
  image(change: number): Promise<ImageBitmap> {
    return bitmapOf(this.lines[this.views.changes.line[change]]);
  }
  // Paints it after `count` changes into a canvas of its size. Calls wait for one another.
  paint(count: number, into: HTMLCanvasElement): Promise<void> {
    const result = this.turn.then(() => this.seek(count)).then(() => {
      const context = into.getContext("2d")!;
      context.clearRect(0, 0, this.width, this.height);
      context.drawImage(this.canvas, 0, 0);
    });
    this.turn = result.catch(() => {});
    return result;
  }
  private async seek(count: number) {
    const context = this.canvas.getContext("2d")!;
    const start = Math.max(0, ...[...this.checkpoints.keys()].filter((at) => at <= count));
    if (this.at > count || start > this.at) {
      context.clearRect(0, 0, this.width, this.height);
      const kept = this.checkpoints.get(start);
      if (kept) context.drawImage(kept, 0, 0);
      this.at = start;
    }
    const { changes } = this.views;
    while (this.at < count) {
      const end = Math.min(count, this.at + 16); // decoded at a time
      const images = await Promise.all(this.changes.slice(this.at, end).map((change) => this.image(change)));
      for (const image of images) {
        const change = this.changes[this.at++];
        context.drawImage(image, changes.x[change], changes.y[change]);
        image.close();
        if (this.at % this.apart === 0 && !this.checkpoints.has(this.at)) {
          const copy = blank(this.width, this.height);
          copy.getContext("2d")!.drawImage(this.canvas, 0, 0);
          this.checkpoints.set(this.at, copy);
        }
      }
    }
  }
}

const films = new WeakMap<Frame, Map<number, TargetFilm>>();
export function filmOf(frame: Frame, target: number, lines: string[]): TargetFilm {
  if (!films.has(frame)) films.set(frame, new Map());
  const ofFrame = films.get(frame)!;
  if (!ofFrame.has(target)) ofFrame.set(target, new TargetFilm(frame.data.views, target, lines));
  return ofFrame.get(target)!;
}

// Targets that a piece of work drew to: those that its state names, first those that it changed.
export function targetsOf(frame: Frame, work: number): number[] {
  const { views, states } = frame.data;
  const state = frame.data.work.state[work];
  const changed = new Set(views.changes.work.flatMap((one, i) => (one === work ? [views.changes.target[i]] : [])));
  const bound = state === null ? null : states.targets[state];
  const addresses = new Set([...(Array.isArray(bound?.color) ? bound.color : []), bound?.depth].map((surface) => surface?.address));
  const named = views.targets.address.map((_, i) => i).filter((i) => addresses.has(views.targets.address[i]) && views.targets.width[i] === (states.width[state ?? 0] ?? 0));
  const colors = named.some((i) => !views.targets.depth[i]);
  return [...new Set([...changed, ...named.filter((i) => !colors || !views.targets.depth[i])])];
}

export interface Mesh {
  corners: number;
  positions: Float32Array; // x, y, z, w of each vertex, in clip space
  indices: Uint32Array;
  leftOut: number;
  scale: number[];
  offset: number[];
}

export async function meshOf(frame: Frame, work: number, lines: string[]): Promise<Mesh | null> {
  const { meshes } = frame.data.views;
  const at = meshes.work.indexOf(work);
  if (at < 0) return null;
  const stream = new Blob([bytesOf(lines[meshes.line[at]])]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  return {
    corners: meshes.corners[at],
    positions: new Float32Array(buffer, 0, meshes.vertices[at] * 4),
    indices: new Uint32Array(buffer, meshes.vertices[at] * 16),
    leftOut: meshes.left_out[at],
    scale: meshes.scale[at],
    offset: meshes.offset[at],
  };
}
