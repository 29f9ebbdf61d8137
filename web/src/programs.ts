// A shader program beside the SPIR-V that it was made from. Counts by instruction will get columns here.
import { h } from "./dom";
import type { Run } from "./model";

export function programView(run: Run, address: string): HTMLElement {
  const at = run.program(address);
  if (at < 0) return h("p", { class: "note" }, "The capture does not say what stands there.");
  const { instructions, source_of, spirv } = run.data.programs;
  const code = instructions[at].split("\n").filter((line) => line.trim() !== "");
  const source = spirv[at];
  const places = (source_of[at] ?? "").split(" ").filter(Boolean).map(Number);
  const lines: HTMLElement[] = [];
  const instructionRows = code.map((text, i) => {
    const place = places[i] ?? -1;
    const told = source && place >= 0 && place < source.length && place !== places[i - 1];
    return h(
      "tr",
      { tabindex: source && place >= 0 ? 0 : undefined, "data-place": place, onclick: () => show(place), onfocus: () => show(place) },
      h("td", { class: "code" }, text),
      source && h("td", { class: "number" }, told ? String(place) : ""),
      source && h("td", { class: "code source" }, told ? source[place].trim() : ""),
    );
  });
  const listing = source && h("div", { class: "listing", tabindex: 0, role: "region", "aria-label": "All of the SPIR-V" });
  const whole =
    source &&
    h(
      "details",
      {
        ontoggle: () => {
          if (lines.length) return;
          source.forEach((text, i) => lines.push(h("div", { class: "code" }, h("span", { class: "place" }, String(i)), text)));
          listing!.append(...lines);
        },
      },
      h("summary", {}, `All of the SPIR-V: ${source.length} instructions`),
      listing,
    );
  function show(place: number) {
    for (const row of instructionRows) row.classList.toggle("chosen", place >= 0 && row.getAttribute("data-place") === String(place));
    lines.forEach((line, i) => line.classList.toggle("chosen", i === place));
    if (whole && whole.open && lines[place] && listing) listing.scrollTop = lines[place].offsetTop - listing.offsetTop - 60;
  }
  return h(
    "div",
    { class: "program" },
    h(
      "div",
      { class: "scroller", tabindex: 0, role: "region", "aria-label": `Program ${address}` },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { class: "text" }, "instruction"), source && h("th", { class: "number" }, "line"), source && h("th", { class: "text" }, "SPIR-V that it comes from"))),
        h("tbody", {}, instructionRows),
      ),
    ),
    source ? whole : h("p", { class: "note" }, places.length ? "Its SPIR-V cannot be read." : "No SPIR-V: the driver's own program."),
  );
}
