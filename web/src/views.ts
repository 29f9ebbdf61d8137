import { compare } from "./compare";
import { draws } from "./draws";
import { heatMaps } from "./heat";
import { machine } from "./machine";
import { memory } from "./memory";
import { overview } from "./overview";
import { parameters } from "./parameters";
import { pixels } from "./pixels";
import { sharing } from "./sharing";
import { time } from "./time";
import type { View } from "./view";

export const views: View[] = [overview, sharing, machine, draws, time, memory, heatMaps, pixels, parameters, compare];
