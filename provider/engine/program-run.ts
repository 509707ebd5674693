import { isObject, parseJson } from "../model/json.js";
import type { Props } from "./lifecycle.js";
import { metadataIn } from "./metadata.js";

/** What the provider must know of the run of the program. */
export interface ProgramRun {
  readonly preview: boolean;
  /** Whether it is not known yet if this is a preview: the engine tells a provider plugin with the next call. */
  readonly provisional?: boolean;
  /** What the program has said about its credentials, which the provider need not repeat. */
  readonly said?: string;
}

/** The run as each resource sends it: as one text, because the SDK and the engine take time for every value of a resource. */
export function programText(run: ProgramRun): string {
  return JSON.stringify(run);
}

/** The text that was parsed last: most resources of a run send the same one. */
let latest: { readonly text: string | undefined; readonly run: ProgramRun } | undefined;

/** The run that inputs came from. Without it, it counts as a preview, so that nothing is written. */
export function programRunIn(props: Props): ProgramRun {
  const { __program: sent } = metadataIn(props);
  const text = typeof sent === "string" ? sent : undefined;
  if (latest === undefined || latest.text !== text) latest = { text, run: parseRun(text) };
  return latest.run;
}

function parseRun(text: string | undefined): ProgramRun {
  const run = text === undefined ? undefined : parseJson(text);
  const { preview, provisional, said } = isObject(run) ? run : {};
  return {
    preview: preview !== false,
    ...(provisional === true ? { provisional } : {}),
    ...(typeof said === "string" ? { said } : {}),
  };
}
