// Work from its beginning to its end, side by side in lanes where it overlaps.
import uPlot from "uplot";
import { axes, ChartGroup, color, mount, palette } from "./charts";
import { h, number } from "./dom";
import type { Frame } from "./model";
import type { Context } from "./view";

// The first lane that is free when work begins; work is in the order in which it began.
function lanes(frame: Frame): number[] {
  const free: number[] = [];
  const { began, ended } = frame.data.work;
  return began.map((start, i) => {
    let lane = free.findIndex((end) => end <= start);
    if (lane < 0) lane = free.push(0) - 1;
    free[lane] = ended[i];
    return lane;
  });
}

export function timeline(group: ChartGroup, context: Context, chosen: () => number | null = () => context.place.work): HTMLElement & { redraw?: () => void } {
  const { frame } = context;
  const { work } = frame.data;
  const lane = lanes(frame);
  const count = Math.max(1, ...lane.map((one) => one + 1));
  const text = h("p", { class: "note under" }, "Pale: sent off, while earlier work still ran. Full: after the end of all work that ended before it; these cycles are its own and sum to the frame's. Colours tell passes. A click shows the draw.");
  const holder = h("div", { class: "plot", role: "img", "aria-label": "Work over time; the table of draws has its figures" });
  const height = Math.min(16, Math.max(7, 150 / count));
  const figure: HTMLElement & { redraw?: () => void } = h(
    "figure",
    { class: "chart" },
    h("figcaption", {}, h("h3", {}, "Work, from sent off to done")),
    holder,
    text,
  );
  mount(holder, (width) => {
    const at = (plot: uPlot): number | null => {
      const { left, top } = plot.cursor;
      if (left === undefined || top === undefined || left < 0) return null;
      const cycle = plot.posToVal(left, "x"),
        row = Math.floor(plot.posToVal(top, "y"));
      const slack = ((plot.scales.x.max ?? 0) - (plot.scales.x.min ?? 0)) / plot.width;
      for (let i = work.work.length - 1; i >= 0; i--)
        if (lane[i] === row && work.began[i] - slack <= cycle && cycle <= work.ended[i] + slack) return i;
      return null;
    };
    const plot = new uPlot(
      {
        width,
        height: 42 + count * height,
        scales: { x: { time: false }, y: { range: [count, 0] } },
        axes: [axes(String)[0], { ...axes(() => "")[1], values: () => [], grid: { show: false }, ticks: { show: false } }],
        cursor: { ...group.cursor(), points: { show: false }, y: false },
        legend: { show: false },
        series: [{}, { show: true, stroke: "transparent", points: { show: false } }],
        hooks: {
          ...group.hooks(),
          setCursor: [
            (plot) => {
              const i = at(plot);
              if (i !== null)
                text.textContent = `${i}: ${frame.workLabel(i)}, cycles ${number(work.began[i])} to ${number(work.ended[i])}: ${number(work.occupied_cycles[i])} occupied, ${number(work.marginal_cycles[i])} marginal`;
            },
          ],
          draw: [
            (plot) => {
              const { ctx } = plot;
              const clear = color("text");
              ctx.save();
              ctx.beginPath();
              ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
              ctx.clip();
              const ratio = devicePixelRatio;
              for (let i = 0; i < work.work.length; i++) {
                const left = plot.valToPos(work.began[i], "x", true),
                  right = plot.valToPos(work.ended[i], "x", true),
                  top = plot.valToPos(lane[i], "y", true),
                  bottom = plot.valToPos(lane[i] + 1, "y", true);
                ctx.fillStyle = palette(work.pass[i]);
                const own = plot.valToPos(Math.max(work.began[i], work.ended[i] - work.marginal_cycles[i]), "x", true);
                const full = work.kind[i] === "draw" ? 0.9 : 0.5;
                ctx.globalAlpha = full * 0.3;
                ctx.fillRect(left, top, Math.max(ratio, right - left - 0.5 * ratio), bottom - top - ratio);
                ctx.globalAlpha = full;
                ctx.fillRect(own, top, Math.max(ratio, right - own - 0.5 * ratio), bottom - top - ratio);
                if (chosen() === i) {
                  ctx.globalAlpha = 1;
                  ctx.strokeStyle = clear;
                  ctx.lineWidth = 2 * ratio;
                  ctx.strokeRect(left, top, Math.max(2 * ratio, right - left), bottom - top - ratio);
                }
              }
              ctx.restore();
            },
          ],
        },
      },
      [
        [0, frame.cycles],
        [null, null],
      ] as unknown as uPlot.AlignedData,
    );
    plot.over.addEventListener("click", () => {
      const i = at(plot);
      if (i !== null) context.go({ view: "draws", work: i });
    });
    figure.redraw = () => plot.redraw();
    return plot;
  });
  return figure;
}
