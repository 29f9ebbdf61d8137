// The tree of labels: groups within groups, with their cycles, time and share.
import { h, number, percent } from "./dom";
import { ratio } from "./model";
import type { Context } from "./view";

const openDepth = 2; // groups below are closed at first
const openRows = 60; // of a tree of fewer rows all are open

export function labelTree(context: Context): HTMLElement[] {
  const { frame } = context;
  const { name, depth, cycles, draws, first_work: firstWork } = frame.data.roll_up;
  if (!name.length) return [];
  const closed = new Set<number>();
  const hasGroups = (row: number) => (depth[row + 1] ?? 0) > depth[row];
  if (name.length > openRows) name.forEach((_, row) => depth[row] + 1 >= openDepth && hasGroups(row) && closed.add(row));
  const body = h("tbody");
  const set = (row: number, close: boolean) => (close ? closed.add(row) : closed.delete(row), draw(row));

  function line(row: number): HTMLElement {
    const share = ratio(cycles[row], frame.cycles);
    const open = !closed.has(row);
    const toggle = hasGroups(row)
      ? h("button", { type: "button", class: "toggle", "aria-label": open ? "Close" : "Open", "aria-expanded": String(open), onclick: () => set(row, open) }, open ? "▾" : "▸")
      : h("span", { class: "toggle" });
    return h(
      "tr",
      { "data-row": row, "aria-level": depth[row] + 1 },
      h("td", { class: "text wide", title: name[row], style: `padding-left:${8 + depth[row] * 18}px` }, toggle, h("a", { href: "#", title: "to its first draw", onclick: (event: Event) => (event.preventDefault(), context.go({ view: "draws", work: firstWork[row] })) }, name[row])),
      h("td", { class: "number", "data-value": cycles[row] }, number(cycles[row])),
      h("td", { class: "number" }, frame.time(cycles[row])),
      h("td", { class: "number", "data-value": share }, percent(share)),
      h("td", { class: "wide" }, h("div", { class: "meter" }, h("span", { style: `width:${Math.min(100, share * 100)}%` }))),
      h("td", { class: "number", "data-value": draws[row] }, number(draws[row])),
    );
  }
  function draw(focus?: number) {
    const lines: HTMLElement[] = [];
    let hidden = Infinity; // groups deeper than this are in a closed one
    name.forEach((_, row) => {
      if (depth[row] > hidden) return;
      hidden = closed.has(row) ? depth[row] : Infinity;
      lines.push(line(row));
    });
    body.replaceChildren(...lines);
    if (focus !== undefined) body.querySelector<HTMLElement>(`[data-row="${focus}"] button`)?.focus();
  }
  draw();
  const heads = [["label", "text"], ["cycles", "number"], ["time", "number"], ["share", "number"], ["", "text"], ["draws", "number"]];
  return [
    h("h2", {}, "Labels"),
    h("p", { class: "note" }, "Marginal cycles of all work within a label's groups. The outermost groups sum to the frame."),
    h("div", { class: "table" }, h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Labels of the frame", style: "max-height:520px" }, h("table", { class: "tree" }, h("thead", {}, h("tr", {}, heads.map(([title, kind]) => h("th", { scope: "col", class: kind }, title)))), body))),
  ];
}
