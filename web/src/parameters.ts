import { h } from "./dom";
import { table } from "./table";
import type { View } from "./view";

export const parameters: View = {
  id: "parameters",
  title: "Parameters",
  render: ({ run, declarations }) => {
    const { path, value, source, differs } = run.data.parameters;
    const declared = (i: number): [string, string, string] => declarations[path[i]] ?? ["", "", ""];
    return [
      h("p", { class: "note" }, "All parameters of the machine. A source is a fact of docs/sources.md, “choice” where no document says, a line of a file, or --set."),
      table(
        path.map((_, i) => i),
        [
          { title: "parameter", text: true, value: (i) => path[i] },
          { title: "value", text: true, narrow: true, value: (i) => value[i] },
          { title: "unit", text: true, value: (i) => declared(i)[0] },
          { title: "range", text: true, narrow: true, value: (i) => declared(i)[1] },
          { title: "source", text: true, narrow: true, value: (i) => source[i] },
          { title: "changed", text: true, tip: "from the preset", value: (i) => (differs[i] ? "yes" : "") },
          { title: "meaning", text: true, long: true, value: (i) => declared(i)[2] },
        ],
        { name: "Parameters", filter: true, height: 700 },
      ),
    ];
  },
};
