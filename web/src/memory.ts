import { bytes, fixed, h, number, percent } from "./dom";
import { accountOf, type Frame, ratio, shortName, sum } from "./model";
import { table } from "./table";
import type { View } from "./view";

function caches(frame: Frame): HTMLElement {
  const rows = frame.run.caches().map((cache) => ({ ...cache, found: frame.total(cache.hits), missed: frame.total(cache.misses) }));
  return table(
    rows,
    [
      { title: "unit", text: true, value: (row) => row.unit, show: (row) => shortName(row.unit) },
      { title: "cache", text: true, value: (row) => row.name },
      { title: "hits", value: (row) => row.found },
      { title: "misses", value: (row) => row.missed },
      { title: "hit rate", value: (row) => ratio(row.found, row.found + row.missed), show: (row) => percent(ratio(row.found, row.found + row.missed), 2) },
      { title: "of", text: true, long: true, value: (row) => frame.run.data.counters.meaning[row.hits] },
    ],
    { name: "Caches", height: 420, filter: rows.length > 14 },
  );
}

function clients(frame: Frame): HTMLElement {
  const rows = frame.run.clients().map((client) => ({ ...client, read: frame.total(client.read), write: frame.total(client.write) }));
  const all = sum(rows.map((row) => row.read + row.write));
  return table(
    rows,
    [
      { title: "client", text: true, value: (row) => row.name, show: (row) => shortName(row.name) },
      { title: "read", value: (row) => row.read, show: (row) => bytes(row.read) },
      { title: "written", value: (row) => row.write, show: (row) => bytes(row.write) },
      { title: "bytes a cycle", value: (row) => ratio(row.read + row.write, frame.cycles), show: (row) => fixed(ratio(row.read + row.write, frame.cycles), 3) },
      { title: "share", value: (row) => ratio(row.read + row.write, all), show: (row) => percent(ratio(row.read + row.write, all)) },
    ],
    { name: "Clients of memory", sort: 4, descending: true, height: 420, filter: rows.length > 14 },
  );
}

// What the memory controllers and their channels counted, clients and accounts apart; null: nothing more.
function controllers(frame: Frame): HTMLElement | null {
  const { unit, name, counts, meaning } = frame.run.data.counters;
  const clientUnits = new Set(frame.run.clients().flatMap((client) => [client.read, client.write].flatMap((c) => (c === undefined ? [] : [unit[c]]))));
  const rows = name.map((_, i) => i).filter((i) => unit[i].includes("memory") && !clientUnits.has(unit[i]) && !accountOf(name[i]));
  if (!rows.length) return null;
  return table(
    rows,
    [
      { title: "unit", text: true, value: (i) => shortName(unit[i]) },
      { title: "counter", text: true, value: (i) => name[i].replace(/_/g, " ") },
      { title: "value", value: (i) => frame.total(i) },
      { title: "a 1000 cycles", value: (i) => ratio(frame.total(i) * 1000, frame.cycles), show: (i) => fixed(ratio(frame.total(i) * 1000, frame.cycles), 2) },
      { title: "counts", text: true, value: (i) => counts[i] },
      { title: "meaning", text: true, long: true, value: (i) => meaning[i] },
    ],
    { name: "Memory controllers", height: 320 },
  );
}

function queues(frame: Frame): HTMLElement {
  const { wires } = frame.run.data;
  const { began, ended } = frame.data.intervals;
  const rows = frame.data.interval_wires.map(({ wire, messages, filling }) => {
    const mean = ratio(sum(filling.map((value, i) => value * (ended[i] - began[i]))), frame.cycles);
    return { wire, messages: sum(messages), mean, peak: filling.reduce((a, b) => Math.max(a, b), 0) };
  });
  const share = (value: number, wire: number) => ratio(value, wires.slots[wire]);
  return table(
    rows,
    [
      { title: "from", text: true, wide: true, value: ({ wire }) => shortName(wires.sender[wire]) },
      { title: "to", text: true, wide: true, value: ({ wire }) => shortName(wires.receiver[wire]) },
      { title: "messages", value: (row) => row.messages },
      { title: "a cycle", value: (row) => ratio(row.messages, frame.cycles), show: (row) => fixed(ratio(row.messages, frame.cycles), 4) },
      { title: "at most", tip: "messages in a cycle of the sender", value: ({ wire }) => wires.bandwidth[wire] },
      { title: "mean filling", tip: "messages under way or waiting, looked at every 64 cycles", value: (row) => row.mean, show: (row) => fixed(row.mean, 2) },
      { title: "fullest interval", value: (row) => row.peak, show: (row) => fixed(row.peak, 2) },
      { title: "slots", value: ({ wire }) => wires.slots[wire] },
      {
        title: "filled",
        text: true,
        wide: true,
        value: (row) => share(row.mean, row.wire),
        show: (row) =>
          h(
            "span",
            { class: "fill", title: percent(share(row.mean, row.wire)) },
            h("span", { class: "meter" }, h("span", { style: `width:${Math.min(100, share(row.mean, row.wire) * 100)}%` })),
            ` ${percent(share(row.mean, row.wire))}`,
          ),
      },
      { title: "latency", tip: "cycles of the receiver", value: ({ wire }) => wires.latency[wire] },
      { title: "message", text: true, value: ({ wire }) => wires.message[wire] },
    ],
    { name: "Queues", sort: 8, descending: true, height: 560, filter: true },
  );
}

export const memory: View = {
  id: "memory",
  title: "Caches, memory, queues",
  render: ({ frame }) => {
    const counted = controllers(frame);
    return [
    h("div", { class: "columns two" }, h("div", {}, h("h2", {}, "Caches"), caches(frame)), h("div", {}, h("h2", {}, "Memory, by client"), clients(frame))),
    ...(counted ? [h("h2", {}, "Memory controllers"), counted] : []),
    h("h2", {}, "Queues"),
    h("p", { class: "note" }, `Wires between units that carried anything in the ${number(frame.cycles)} cycles. A wire that is full keeps its sender waiting.`),
    queues(frame),
    ];
  },
};
