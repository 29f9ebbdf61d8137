import { ChartGroup, color, kindColor, palette, timeChart, type Series } from "./charts";
import { fixed, h, percent } from "./dom";
import { accounts, type Frame, kindOf, ratio, shortName, sum } from "./model";
import { timeline } from "./timeline";
import type { Context, View } from "./view";

const perCycle = (frame: Frame, values: number[]): number[] =>
  values.map((value, i) => ratio(value, frame.data.intervals.ended[i] - frame.data.intervals.began[i]));

function utilisation(frame: Frame): Series[] {
  const busiest = [...frame.run.kinds].map(([kind, units]) => ({ kind, units, busy: frame.shares(units).busy }));
  busiest.sort((a, b) => b.busy - a.busy);
  const shown = new Set(busiest.slice(0, 7).map((entry) => entry.kind));
  return busiest.map(({ kind, units }) => ({
    label: units.length > 1 ? `${kind} ×${units.length}` : kind,
    color: kindColor(kind),
    values: frame.sharesOverTime(units).busy,
    hidden: !shown.has(kind),
  }));
}

// Clients of memory by kind: "texture" is all texture units.
function bandwidth(frame: Frame, which: ("read" | "write")[]): Series[] {
  const kinds = new Map<string, (number | undefined)[]>();
  for (const client of frame.run.clients()) {
    if (!kinds.has(client.kind)) kinds.set(client.kind, []);
    kinds.get(client.kind)!.push(...which.map((way) => client[way]));
  }
  return [...kinds]
    .map(([kind, counters]) => ({ kind, counters, all: sum(counters.map((counter) => frame.total(counter))) }))
    .filter((entry) => entry.all > 0)
    .sort((a, b) => b.all - a.all)
    .map(({ kind, counters }) => ({ label: kind, color: kindColor(kind), values: perCycle(frame, frame.sumOverTime(counters)) }));
}

function bandwidthNote(frame: Frame): string {
  const traffic = ratio(frame.data.totals.bytes_read[0] + frame.data.totals.bytes_written[0], frame.cycles);
  const most = frame.run.memoryPeak();
  const used = most > 0 ? `, ${percent(traffic / most)} of the ${+most.toFixed(2)} that its channels can move in a cycle of the core` : "";
  return `Bytes a cycle of the core. Over the frame, both ways: ${fixed(traffic, 2)}${used}.`;
}

function hitRates(frame: Frame): Series[] {
  const kinds = new Map<string, { kind: string; hits: number[]; misses: number[] }>();
  for (const cache of frame.run.caches()) {
    const name = cache.name === "cache" ? kindOf(cache.unit) : `${kindOf(cache.unit)}, ${cache.name}`;
    if (!kinds.has(name)) kinds.set(name, { kind: kindOf(cache.unit), hits: [], misses: [] });
    kinds.get(name)!.hits.push(cache.hits);
    kinds.get(name)!.misses.push(cache.misses);
  }
  return [...kinds]
    .filter(([, { hits, misses }]) => sum([...hits, ...misses].map((counter) => frame.total(counter))) > 0)
    .map(([name, { kind, hits, misses }]) => {
      const found = frame.sumOverTime(hits),
        missed = frame.sumOverTime(misses);
      return { label: name, color: kindColor(kind), values: found.map((value, k) => (value + missed[k] > 0 ? value / (value + missed[k]) : null)) };
    });
}

function queues(frame: Frame): Series[] {
  const { wires } = frame.run.data;
  const { began, ended } = frame.data.intervals;
  const mean = (values: number[]) => ratio(sum(values.map((value, i) => value * (ended[i] - began[i]))), frame.cycles);
  return frame.data.interval_wires
    .map(({ wire, filling }) => ({ wire, filling: filling.map((value) => ratio(value, wires.slots[wire])), mean: ratio(mean(filling), wires.slots[wire]) }))
    .filter((entry) => entry.mean > 0.002)
    .sort((a, b) => b.mean - a.mean)
    .slice(0, 12)
    .map(({ wire, filling }, i) => ({ label: shortName(wires.receiver[wire]), color: kindColor(kindOf(wires.receiver[wire].replace(/^(gpu\.[^.]+)\..*$/, "$1"))), values: filling, hidden: i >= 6 }));
}

function holderChart(group: ChartGroup, frame: Frame): HTMLElement {
  return timeChart(group, {
    title: "What held the machine up",
    note: "Every 17 cycles a probe finds the unit that holds the machine up: the shares of the probes, by its work.",
    ...frame.data.intervals,
    percent: true,
    stacked: true,
    height: 220,
    series: frame.causesOverTime().slice(0, 12).map(({ words, values }) => ({ label: words, color: kindColor(words), values })),
  });
}

function accountChart(group: ChartGroup, frame: Frame, units: string[], name: string): HTMLElement {
  const shares = frame.sharesOverTime(units);
  return timeChart(group, {
    title: `Where the cycles of ${name} went`,
    ...frame.data.intervals,
    percent: true,
    stacked: true,
    series: accounts.map((account) => ({ label: account, color: color(account), values: shares[account] })),
  });
}

// A choice of a unit or a kind of units, or of a counter, and its chart.
function chosen(label: string, options: string[], first: string, chart: (option: string) => HTMLElement): HTMLElement {
  const holder = h("div");
  const select = h(
    "select",
    { onchange: () => holder.replaceChildren(chart(select.value)) },
    options.map((option) => h("option", { value: option }, option.includes("\u0000") ? option.split("\u0000")[1] : option)),
  );
  select.value = first;
  holder.append(chart(first));
  return h("div", { class: "chosen" }, h("label", {}, label, " ", select), holder);
}

export const time: View = {
  id: "time",
  title: "Time",
  render: (context: Context) => {
    const { frame, run } = context;
    const intervals = frame.data.intervals;
    if (!intervals.began.length) return [h("p", {}, "The run has no figures over time.")];
    const group = new ChartGroup(frame.cycles);
    const spans = { began: intervals.began, ended: intervals.ended };
    const kinds = [...run.kinds.keys()];
    const busiest = kinds.slice().sort((a, b) => frame.shares(run.kinds.get(b)!).busy - frame.shares(run.kinds.get(a)!).busy)[0];
    const counters = frame.data.interval_counters
      .filter(({ counter }) => run.data.counters.counts[counter] !== "cycles")
      .map(({ counter }) => `${counter}\u0000${run.counterLabel(counter)}`);
    return [
      group.controls(),
      timeline(group, context),
      frame.data.holdups !== null && holderChart(group, frame),
      timeChart(group, { title: "Utilisation", note: "Share of cycles in which units were busy, the mean of those of a kind. The legend shows and hides kinds.", ...spans, percent: true, height: 240, series: utilisation(frame) }),
      chosen("Units", [...kinds, ...run.data.units.filter((unit) => run.kinds.get(kindOf(unit))!.length > 1)], busiest, (option) =>
        accountChart(group, frame, run.kinds.get(option) ?? [option], run.kinds.has(option) ? option : shortName(option)),
      ),
      timeChart(group, {
        title: "Memory read, by client",
        note: bandwidthNote(frame),
        ...spans,
        stacked: true,
        unit: "B",
        height: 220,
        series: bandwidth(frame, ["read"]),
      }),
      timeChart(group, { title: "Memory written, by client", ...spans, stacked: true, unit: "B", series: bandwidth(frame, ["write"]) }),
      timeChart(group, { title: "Cache hit rates", note: "Lines found, of those looked up.", ...spans, percent: true, series: hitRates(frame) }),
      timeChart(group, { title: "Filling of queues", note: "Messages under way or waiting on a wire, of its slots: the fullest twelve, named by the port that receives.", ...spans, percent: true, series: queues(frame) }),
      counters.length > 0 &&
        chosen("Any counter", counters, counters[0], (option) => {
          const counter = Number(option.split("\u0000")[0]);
          return timeChart(group, {
            title: run.counterLabel(counter),
            note: `${run.data.counters.meaning[counter]}; ${run.data.counters.counts[counter]} a cycle`,
            ...spans,
            series: [{ label: run.data.counters.name[counter], color: palette(0), values: perCycle(frame, frame.overTime(counter)) }],
          });
        }),
    ].filter((node) => node !== false);
  },
};
