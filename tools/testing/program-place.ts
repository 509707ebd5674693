import { fileURLToPath } from "node:url";
import { programPlace, type ProgramPlace } from "../../core/model/program-frames.js";

/** How many frames are read: those of this package, of a component's package, and of the program. */
const FRAMES = 40;

/** Where the program is at the moment, with the path of the file; undefined if no frame is in one of its files. */
export function currentPlace(): ProgramPlace | undefined {
  const { stackTraceLimit } = Error;
  Reflect.set(Error, "stackTraceLimit", FRAMES);
  const frames = String(new Error().stack).split("\n");
  Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
  for (const frame of frames) {
    const place = programPlace(frame);
    if (place !== undefined) return { ...place, file: pathOf(place.file) };
  }
  return undefined;
}

function pathOf(file: string): string {
  return file.startsWith("file:") ? fileURLToPath(file) : file;
}
