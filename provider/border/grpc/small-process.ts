import { setFlagsFromString } from "node:v8";
import { optimizeLate } from "../compiled-code.js";

/** What axios looks at when it loads, although it sends the requests of this package over `node:http`. */
const FETCH = ["fetch", "FormData", "Headers", "Request", "Response"];

/** Keeps this process small, at no cost of time that can be measured. Call it before anything else runs. */
export function keepProcessSmall(): void {
  // Little room for short-lived objects: a fifth of the memory of a large run.
  setFlagsFromString("--semi-space-growth-factor=1");
  // Most functions run too few times for it to be worth compiling them: 5 MB.
  setFlagsFromString("--no-sparkplug");
  optimizeLate();
  // The first look at one of them loads Node's `fetch`: 2 to 13 MB, and 30 ms of CPU time. Only deleting does not look.
  for (const name of FETCH) Reflect.deleteProperty(globalThis, name);
}
