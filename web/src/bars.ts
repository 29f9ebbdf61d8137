// The four-way account of a unit as a bar of shares.
import { h, percent } from "./dom";
import { accounts, type Shares } from "./model";

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
