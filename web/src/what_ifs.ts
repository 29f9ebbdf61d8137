// Experiments on what held a frame up: commands of `cutaway explain --try`, ready to copy.
import type { Declarations } from "./data";
import { h } from "./dom";
import type { Frame } from "./model";
import type { Context } from "./view";

const mostCauses = 3;
const leastShare = 0.1; // of the probes, of a cause worth an experiment

// Tables of parameters that tell how fast a kind of unit is, where they are not called as it is.
const tables: Record<string, string[]> = { memory_controller: ["memory"], z_stencil: ["z_stencil", "rop"], color_write: ["color_write", "rop"] };

// True if a declared range, "1 to 64", has the value. Other ranges are the command's to judge.
function inRange(range: string | undefined, value: number): boolean {
  const bounds = /^(-?[\d.]+) to (-?[\d.]+)$/.exec(range ?? "");
  return !bounds || (Number(bounds[1]) <= value && value <= Number(bounds[2]));
}

// Doubles what makes the units of the largest causes faster: their number, and what they do in a cycle.
export function whatIfs(frame: Frame, declarations: Declarations): string[] {
  const { parameters } = frame.run;
  const tries: string[] = [];
  for (const { kind, share } of frame.data.holdups.frame.slice(0, mostCauses)) {
    if (share < leastShare) continue;
    for (const owner of tables[kind] ?? [kind])
      for (const [path, text] of parameters) {
        const name = path.slice(owner.length + 1),
          twice = 2 * Number(text);
        if (!path.startsWith(`${owner}.`) || !/^(units|channels|.*_per_cycle)$/.test(name)) continue;
        if (twice > 0 && inRange(declarations[path]?.[1], twice) && !tries.includes(`${path}=${twice}`)) tries.push(`${path}=${twice}`);
      }
  }
  return tries;
}

const quoted = (text: string): string => `'${text.replace(/'/g, "'\\''")}'`;

export function whatIfList({ frame, run, declarations }: Context): HTMLElement | null {
  const tries = whatIfs(frame, declarations);
  if (!tries.length) return null;
  const commands = tries.map((one) => `cutaway explain ${quoted(run.data.path)} --frame ${frame.number} --try ${one}`);
  const copy = (command: string) =>
    h("button", { type: "button", title: "Copy the command", onclick: (event: Event) => void navigator.clipboard?.writeText(command).then(() => ((event.target as HTMLElement).textContent = "Copied")) }, "Copy");
  return h(
    "details",
    { class: "evidence what-ifs" },
    h("summary", {}, "What if it were faster? Commands that simulate the frame again"),
    commands.map((command) => h("p", {}, copy(command), " ", h("code", {}, command))),
  );
}
