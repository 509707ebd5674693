import { isObject, parseJson } from "../../core/model/json.js";
import type { ProgramRun, Props } from "./lifecycle.js";
import { metadataIn } from "./metadata.js";

/** What a program tells a dynamic provider of its run. */
interface SentRun extends ProgramRun {
  /** What the program has said about its credentials, which the provider need not repeat. */
  readonly said?: string;
}

/** The run as each resource sends it: as one text, because the SDK and the engine take time for every value of a resource. */
export function programText(run: SentRun): string {
  return JSON.stringify(run);
}

/** The text that was parsed last: most resources of a run send the same one. */
let latest: { readonly text: string | undefined; readonly run: SentRun } | undefined;

/** The run that inputs came from. Without it, it counts as a preview, so that nothing is written. */
export function programRunIn(props: Props): SentRun {
  const { __program: sent } = metadataIn(props);
  const text = typeof sent === "string" ? sent : undefined;
  if (latest === undefined || latest.text !== text) latest = { text, run: parseRun(text) };
  return latest.run;
}

function parseRun(text: string | undefined): SentRun {
  const run = text === undefined ? undefined : parseJson(text);
  const { preview, said } = isObject(run) ? run : {};
  return {
    preview: preview !== false,
    ...(typeof said === "string" ? { said } : {}),
  };
}
