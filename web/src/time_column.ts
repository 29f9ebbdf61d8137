// The column of milliseconds beside one of cycles.
import type { Frame } from "./model";
import type { Column } from "./table";

export function timeColumn<Row>(frame: Frame, cycles: (row: Row) => number): Column<Row> {
  return { title: "time", tip: "that the cycles take at the core's clock", value: cycles, show: (row) => frame.time(cycles(row)) };
}
