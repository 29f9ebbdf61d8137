// Sortable, filterable tables. Of long ones only the rows in sight are in the document.
import { h, number } from "./dom";

export interface Column<Row> {
  title: string;
  value: (row: Row) => number | string | null;
  show?: (row: Row) => Node | string;
  tip?: string; // what the column means
  text?: boolean; // aligned left
  wide?: boolean;
  narrow?: boolean; // cut where it is long
  long?: boolean; // a sentence: shown whole, so it stands last
}

export interface TableOptions<Row> {
  name: string; // for those who do not see it
  sort?: number; // column
  descending?: boolean;
  filter?: boolean;
  selected?: (row: Row) => boolean;
  select?: (row: Row) => void;
  height?: number; // pixels of what scrolls; without: all rows
  empty?: string;
}

const rowHeight = 26; // pixels, as in style.css
const windowed = 150; // rows from which only those in sight are made
const printed = 2000; // rows up to which all are made for paper

// Paper has all rows: of tables that are there, and of those made while it is printed.
let printing = false;
window.addEventListener("beforeprint", () => (printing = true));
window.addEventListener("afterprint", () => (printing = false));

export interface Table extends HTMLElement {
  refresh: () => void; // what is selected has changed: marks it and brings it into sight
}

export function table<Row>(rows: Row[], columns: Column<Row>[], options: TableOptions<Row>): Table {
  let order = options.sort ?? -1,
    descending = options.descending ?? false,
    shown = rows;
  const body = h("tbody");
  const heads = columns.map((column, i) =>
    h(
      "th",
      { scope: "col", class: column.text ? "text" : "number", title: column.tip },
      h("button", { type: "button", onclick: () => sortBy(i) }, column.title),
    ),
  );
  const scroller = h(
    "div",
    { class: "scroller", tabindex: 0, role: "region", "aria-label": options.name },
    h("table", {}, h("thead", {}, h("tr", {}, heads)), body),
  );
  if (options.height) scroller.style.maxHeight = `${options.height}px`;
  const count = h("span", { class: "count", role: "status" });

  function cells(row: Row): HTMLElement[] {
    return columns.map((column) => {
      const value = column.value(row);
      const content = column.show ? column.show(row) : typeof value === "number" ? number(value) : (value ?? "");
      return h(
        "td",
        {
          class: `${column.text ? "text" : "number"}${column.wide ? " wide" : ""}${column.narrow ? " narrow" : ""}${column.long ? " long" : ""}`,
          title: column.text && typeof value === "string" ? value : undefined,
          "data-value": typeof value === "number" ? value : undefined,
        },
        content,
      );
    });
  }
  function line(row: Row, place: number): HTMLElement {
    const chosen = options.selected?.(row) ?? false;
    const element = h("tr", { "data-row": place, class: chosen ? "chosen" : undefined }, cells(row));
    if (options.select) {
      element.tabIndex = chosen ? 0 : -1;
      element.setAttribute("aria-selected", String(chosen));
      element.addEventListener("click", () => choose(place));
    }
    return element;
  }
  function draw() {
    let first = 0,
      last = shown.length;
    if (shown.length > windowed && options.height && !(printing && shown.length <= printed)) {
      first = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - 10);
      last = Math.min(shown.length, first + Math.ceil(options.height / rowHeight) + 20);
    }
    const spacer = (rows: number) =>
      rows > 0 ? [h("tr", { class: "spacer", "aria-hidden": true }, h("td", { colspan: columns.length, style: `height:${rows * rowHeight}px` }))] : [];
    body.replaceChildren(
      ...spacer(first),
      ...shown.slice(first, last).map((row, i) => line(row, first + i)),
      ...spacer(shown.length - last),
    );
    if (shown.length === 0)
      body.replaceChildren(h("tr", {}, h("td", { colspan: columns.length, class: "text" }, options.empty ?? "nothing")));
  }
  function arrange(text = filter?.value ?? "") {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    shown = rows.filter((row) => {
      if (!wanted.length) return true;
      const content = columns.map((column) => column.value(row) ?? "").join(" ").toLowerCase();
      return wanted.every((word) => content.includes(word));
    });
    const column = columns[order];
    if (column) {
      const sign = descending ? -1 : 1;
      shown = shown
        .map((row, i) => ({ row, i, value: column.value(row) }))
        .sort((a, b) => {
          if (a.value === null || b.value === null) return +(a.value === null) - +(b.value === null) || a.i - b.i;
          const by =
            typeof a.value === "number" && typeof b.value === "number"
              ? a.value - b.value
              : String(a.value).localeCompare(String(b.value), "en", { numeric: true });
          return by * sign || a.i - b.i;
        })
        .map((entry) => entry.row);
    }
    heads.forEach((head, i) =>
      head.setAttribute("aria-sort", i !== order ? "none" : descending ? "descending" : "ascending"),
    );
    count.textContent = shown.length === rows.length ? `${number(rows.length)} rows` : `${number(shown.length)} of ${number(rows.length)} rows`;
    draw();
  }
  function sortBy(column: number) {
    descending = order === column ? !descending : !columns[column].text;
    order = column;
    arrange();
  }
  function choose(place: number) {
    if (!options.select || place < 0 || place >= shown.length) return;
    options.select(shown[place]);
    const top = place * rowHeight;
    if (options.height) {
      if (top < scroller.scrollTop) scroller.scrollTop = top;
      if (top + 3 * rowHeight > scroller.scrollTop + options.height) scroller.scrollTop = top + 3 * rowHeight - options.height;
    }
    draw();
    body.querySelector<HTMLElement>(`[data-row="${place}"]`)?.focus({ preventScroll: true });
  }
  scroller.addEventListener("keydown", (event) => {
    if (!options.select || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    const at = shown.findIndex((row) => options.selected?.(row));
    choose(at < 0 ? 0 : at + (event.key === "ArrowDown" ? 1 : -1));
    event.preventDefault();
  });
  if (options.height) {
    let waiting = false;
    scroller.addEventListener("scroll", () => {
      if (waiting || shown.length <= windowed) return;
      waiting = true;
      requestAnimationFrame(() => ((waiting = false), draw()));
    });
  }
  const print = () => scroller.isConnected && draw();
  window.addEventListener("beforeprint", print);
  window.addEventListener("afterprint", print);

  const filter = options.filter
    ? h("input", { type: "search", placeholder: "Filter", "aria-label": `Filter: ${options.name}`, oninput: () => arrange() })
    : null;
  arrange();
  const element = h("div", { class: "table" }, filter && h("div", { class: "tools" }, filter, count), scroller);
  const refresh = () => {
    const at = shown.findIndex((row) => options.selected?.(row));
    if (at >= 0 && options.height) {
      const top = at * rowHeight;
      if (top < scroller.scrollTop || top + 3 * rowHeight > scroller.scrollTop + options.height)
        scroller.scrollTop = top - options.height / 2;
    }
    draw();
  };
  return Object.assign(element, { refresh });
}
