// The log of a frame's fragments (docs/run-database.md, "What became of each fragment"): decoded when a view
// asks for it, and pictures made of it.
import type { FragmentTarget, FrameData } from "./data";

// Kinds of events whose words or colors are read; data.ts, `kinds`, has the names of all.
const killedHz = 0,
  written = 7,
  unseen = 8,
  passed = 9;

// Columns of events.
export interface Events {
  count: number;
  cycle: Float64Array;
  work: Uint32Array;
  x: Uint16Array;
  y: Uint16Array;
  kind: Uint8Array;
  lanes: Uint8Array; // bits 0 to 3: lanes; from bit 4 on: sample
  target: Uint8Array;
  words: Uint32Array; // colors and coverage, event after event
  at: Uint32Array; // by event: its first word
}

const bits4 = Array.from({ length: 16 }, (_, i) => (i & 1) + (i >> 1 & 1) + (i >> 2 & 1) + (i >> 3));

async function expand(base64: string): Promise<DataView> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new DataView(await new Response(stream).arrayBuffer());
}

async function decode(frame: FrameData, lines: string[]): Promise<Events> {
  const log = frame.fragments!;
  const count = log.parts.reduce((sum, part) => sum + part.events, 0);
  const events: Events = {
    count,
    cycle: new Float64Array(count),
    work: new Uint32Array(count),
    x: new Uint16Array(count),
    y: new Uint16Array(count),
    kind: new Uint8Array(count),
    lanes: new Uint8Array(count),
    target: new Uint8Array(count),
    words: new Uint32Array(0),
    at: new Uint32Array(count),
  };
  const views = await Promise.all(log.parts.map((part) => expand(lines[part.line])));
  const tables = views.map((view, i) => (view.byteLength - 15 * log.parts[i].events) / 4);
  events.words = new Uint32Array(tables.reduce((a, b) => a + b, 0));
  let first = 0,
    word = 0;
  log.parts.forEach((part, p) => {
    const view = views[p],
      n = part.events;
    let cycle = part.first_cycle;
    for (let i = 0; i < n; i++) events.cycle[first + i] = cycle += view.getUint32(4 * i, true);
    for (let i = 0; i < n; i++) events.work[first + i] = view.getUint32(4 * (n + i), true);
    for (let i = 0; i < n; i++) events.x[first + i] = view.getUint16(8 * n + 2 * i, true);
    for (let i = 0; i < n; i++) events.y[first + i] = view.getUint16(10 * n + 2 * i, true);
    for (let i = 0; i < n; i++) events.kind[first + i] = view.getUint8(12 * n + i);
    for (let i = 0; i < n; i++) events.lanes[first + i] = view.getUint8(13 * n + i);
    for (let i = 0; i < n; i++) events.target[first + i] = view.getUint8(14 * n + i);
    for (let i = 0; i < tables[p]; i++) events.words[word + i] = view.getUint32(15 * n + 4 * i, true);
    for (let i = first; i < first + n; i++) {
      events.at[i] = word;
      word += events.kind[i] === killedHz ? 2 : events.kind[i] === written ? bits4[events.lanes[i] & 15] : 0;
    }
    first += n;
  });
  return events;
}

const decoded = new WeakMap<FrameData, Promise<Events>>();
export function eventsOf(frame: FrameData, lines: string[]): Promise<Events> {
  let events = decoded.get(frame);
  if (!events) decoded.set(frame, (events = decode(frame, lines)));
  return events;
}

// What passes draw to; those that draw to the same memory in the same way together.
export interface Surface {
  id: number;
  first: FragmentTarget;
  passes: Map<number, number>; // pass: its color target, or -1 for depth alone
}
export function surfacesOf(frame: FrameData): Surface[] {
  const surfaces = new Map<number, Surface>();
  for (const target of frame.fragments!.targets) {
    if (!surfaces.has(target.surface)) surfaces.set(target.surface, { id: target.surface, first: target, passes: new Map() });
    surfaces.get(target.surface)!.passes.set(target.pass, target.target);
  }
  return [...surfaces.values()];
}

// Events that change what a surface shows: of several samples sample 0 does.
export function writesTo(events: Events, surface: Surface, passOf: number[]): Uint32Array {
  const depthOnly = [...surface.passes.values()].every((target) => target < 0);
  const kind = depthOnly ? passed : surface.first.color ? written : unseen;
  const target = passOf.map((pass) => surface.passes.get(pass) ?? -2);
  const found = new Uint32Array(events.count);
  let count = 0;
  for (let i = 0; i < events.count; i++) {
    if (events.kind[i] !== kind || events.lanes[i] > 15) continue;
    const of = target[events.work[i]];
    if (depthOnly ? of === -1 : of === events.target[i]) found[count++] = i;
  }
  return found.slice(0, count);
}

// The same in the order of draws: a pixel is written in that order, though draws overlap.
export function byWork(events: Events, writes: Uint32Array): Uint32Array {
  return writes.slice().sort((a, b) => events.work[a] - events.work[b] || a - b);
}

// The pixels of a surface after some of its writes.
export class Picture {
  readonly color: Uint32Array; // R in the lowest 8 bits, then G, B, A
  readonly last: Int32Array; // the event that wrote it last; -1: none, and nobody knows what it holds
  private done = 0;

  constructor(
    readonly events: Events,
    readonly width: number,
    readonly height: number,
    private order: Uint32Array,
  ) {
    this.color = new Uint32Array(width * height);
    this.last = new Int32Array(width * height).fill(-1);
  }

  // After the first `count` writes, in another order if one is given.
  seek(count: number, order = this.order) {
    if (count < this.done || order !== this.order) {
      this.color.fill(0);
      this.last.fill(-1);
      this.done = 0;
    }
    this.order = order;
    const { x, y, lanes, at, words, kind } = this.events;
    for (; this.done < count; this.done++) {
      const event = order[this.done];
      let word = at[event];
      for (let lane = 0; lane < 4; lane++) {
        if (!(lanes[event] >> lane & 1)) continue;
        const px = x[event] + (lane & 1),
          py = y[event] + (lane >> 1);
        const color = kind[event] === written ? words[word++] : 0;
        if (px >= this.width || py >= this.height) continue;
        this.color[py * this.width + px] = color;
        this.last[py * this.width + px] = event;
      }
    }
  }
}

export interface Moment {
  order: number; // in the log
  cycle: number;
  work: number;
  kind: number;
  target: number;
  sample: number;
  color: number | null;
}

// All that happened to a pixel in the passes of a surface.
export function historyOf(events: Events, surface: Surface, passOf: number[], px: number, py: number): Moment[] {
  const within = passOf.map((pass) => surface.passes.has(pass));
  const moments: Moment[] = [];
  for (let i = 0; i < events.count; i++) {
    const column = px - events.x[i],
      row = py - events.y[i];
    if (column < 0 || row < 0 || column > 7 || row > 7) continue;
    const lanes = events.lanes[i] & 15,
      kind = events.kind[i];
    const lane = row * 2 + column;
    if (kind === killedHz) {
      if (!(events.words[events.at[i] + (row >> 2)] >>> ((row & 3) * 8 + column) & 1)) continue;
    } else if (column > 1 || row > 1 || !(lanes >> lane & 1)) continue;
    if (!within[events.work[i]]) continue;
    moments.push({
      order: i,
      cycle: events.cycle[i],
      work: events.work[i],
      kind,
      target: events.target[i],
      sample: events.lanes[i] >> 4,
      color: kind === written ? events.words[events.at[i] + bits4[lanes & ((1 << lane) - 1)]] : null,
    });
  }
  return moments;
}
