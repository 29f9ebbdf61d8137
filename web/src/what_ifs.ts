// Experiments on what held a frame up: commands of `cutaway explain --try`, ready to copy.
import { h } from "./dom";
import type { Frame } from "./model";

export function whatIfList(frame: Frame): HTMLElement | null {
  const commands = frame.data.what_ifs;
  if (!commands.length) return null;
  const copy = (command: string) =>
    h("button", { type: "button", title: "Copy the command", onclick: (event: Event) => void navigator.clipboard?.writeText(command).then(() => ((event.target as HTMLElement).textContent = "Copied")) }, "Copy");
  return h(
    "details",
    { class: "evidence what-ifs" },
    h("summary", {}, "What if it were faster? Commands that simulate the frame again"),
    commands.map((command) => h("p", {}, copy(command), " ", h("code", {}, command))),
  );
}
