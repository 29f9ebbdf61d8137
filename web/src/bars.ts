// Bars of shares: the four-way account of a unit, and what the cycles of a frame were for.
import { h, percent } from "./dom";
import { accounts, type Frame, ratio, type Shares } from "./model";

export function shareBar(shares: Shares): HTMLElement {
  const text = accounts.map((account) => `${account} ${percent(shares[account])}`).join(", ");
  return h(
    "span",
    { class: "bar", role: "img", "aria-label": text, title: text },
    accounts.map((account) => shares[account] > 0 && h("span", { class: account, style: `width:${(shares[account] * 100).toFixed(3)}%` })),
  );
}

export const accountLegend = (): HTMLElement =>
  h(
    "p",
    { class: "legend" },
    accounts.map((account) =>
      h("span", {}, h("i", { class: account }), `${account} ${{ busy: "", starved: "(waits for work)", blocked: "(waits for room)", idle: "(nothing to do)" }[account]}`.trim()),
    ),
  );

const phaseNames = {
  draw_cycles: "draws",
  copy_cycles: "copies and clears",
  cache_cycles: "caches",
  display_cycles: "waiting for the display",
  command_cycles: "commands alone",
} as const;
const phases = Object.keys(phaseNames) as (keyof typeof phaseNames)[];

// What the cycles of a frame were for. Each counts once, so that the parts fill the bar.
export function phaseBar(frame: Frame): HTMLElement {
  const parts = phases.map((phase) => ({ phase, cycles: frame.data.totals[phase][0] ?? 0 })).filter(({ cycles }) => cycles > 0);
  const text = parts.map(({ phase, cycles }) => `${phaseNames[phase]} ${percent(ratio(cycles, frame.cycles))}`).join(", ");
  return h(
    "span",
    { class: "bar", role: "img", "aria-label": text, title: text },
    parts.map(({ phase, cycles }) =>
      h("span", { class: phase, "data-phase": phase, "data-cycles": cycles, style: `width:${(ratio(cycles, frame.cycles) * 100).toFixed(3)}%` }),
    ),
  );
}

// Of the phases that a frame has, with their shares.
export const phaseLegend = (frame: Frame): HTMLElement =>
  h(
    "p",
    { class: "legend" },
    phases
      .filter((phase) => (frame.data.totals[phase][0] ?? 0) > 0)
      .map((phase) => h("span", {}, h("i", { class: phase }), `${phaseNames[phase]} ${percent(ratio(frame.data.totals[phase][0], frame.cycles))}`)),
  );
