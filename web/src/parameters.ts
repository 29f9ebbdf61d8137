import { h } from "./dom";
import { table } from "./table";
import type { View } from "./view";

export const parameters: View = {
  id: "parameters",
  title: "Parameters",
  render: ({ run }) => {
    const { path, value, source, differs } = run.data.parameters;
    return [
      h("p", { class: "note" }, "All parameters of the machine. A source is a fact of docs/sources.md, “choice” where no document says, a line of a file, or --set."),
      table(
        path.map((_, i) => i),
        [
          { title: "parameter", text: true, value: (i) => path[i] },
          { title: "value", text: true, value: (i) => value[i] },
          { title: "source", text: true, value: (i) => source[i] },
          { title: "differs from the preset", text: true, value: (i) => (differs[i] ? "yes" : "") },
        ],
        { name: "Parameters", filter: true, height: 700 },
      ),
    ];
  },
};
