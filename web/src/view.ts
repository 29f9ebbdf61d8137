import type { Declarations } from "./data";
import type { Frame, Run } from "./model";

// What the page shows now; it stands in the address after #, so that a place in the page can be kept.
export interface Place {
  view: string;
  run: number;
  frame: number;
  sweep: number;
  work: number | null; // a draw or other work that is looked at
  pixel: [number, number] | null; // x, y
}

export interface Context {
  runs: Run[];
  run: Run;
  frame: Frame;
  lines: string[]; // PageData.lines
  declarations: Declarations;
  place: Place;
  go: (change: Partial<Place>) => void; // shows another place
  keep: (change: Partial<Place>) => void; // takes down where we are, and draws nothing anew
}

// A view of the page: a file like the others and a line in views.ts.
export interface View {
  id: string;
  title: string;
  shown?: (runs: Run[]) => boolean;
  render: (context: Context) => Node[];
}
