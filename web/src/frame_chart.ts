// How long each frame of a run took, as bars; a click shows the frame.
import { fixed, h, number, svg } from "./dom";
import type { Context } from "./view";

const height = 90;

export function frameChart({ run, frame, go }: Context): HTMLElement {
  const mhz = run.coreMhz();
  const most = Math.max(1, ...run.frames.map((one) => one.cycles));
  const time = (cycles: number) => (mhz > 0 ? `${fixed(cycles / mhz / 1000, 2)} ms, ${number(cycles)} cycles` : `${number(cycles)} cycles`);
  const sorted = run.frames.map((one) => one.cycles).sort((a, b) => a - b);
  const worst = run.frames.reduce((a, b) => (b.cycles > a.cycles ? b : a));
  const width = 100 / run.frames.length;
  return h(
    "figure",
    { class: "chart frames" },
    h("figcaption", { class: "note" }, `Time of each frame. Worst: frame ${worst.number}, ${time(worst.cycles)}; median ${time(sorted[(sorted.length - 1) >> 1])}.`),
    svg(
      "svg",
      { viewBox: `0 0 100 ${height}`, preserveAspectRatio: "none", width: "100%", height, role: "img", "aria-label": "Time of each frame; the table below has the figures" },
      run.frames.map((one, i) => {
        const tall = (height * one.cycles) / most;
        const bar = svg(
          "rect",
          { x: i * width, y: height - tall, width: width * 0.9, height: tall, class: one === frame ? "shown" : "other", "data-cycles": one.cycles, onclick: () => go({ frame: one.number, work: null }) },
          svg("title", {}, `frame ${one.number}: ${time(one.cycles)}`),
        );
        return bar;
      }),
    ),
  );
}
