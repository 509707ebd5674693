import { readFileSync } from "node:fs";
import type { Certificates, Hostname } from "../certificates/model.js";
import type { PreviousWaf } from "../previous-waf/model.js";
import type { Ruleset, Version } from "../rulesets/model.js";
import { notAStateFile } from "./disk.js";

/** The content of the JSON state file of earlier versions. */
export interface LegacyState {
  readonly format: 1;
  readonly seed: object;
  readonly ids: number;
  readonly rulesets: readonly (Omit<Ruleset, "version" | "executes" | "lists"> & {
    readonly versions: readonly Version[];
  })[];
  /** By zone. */
  readonly previousWafs?: readonly (readonly [string, PreviousWaf])[];
  /** By zone. */
  readonly certificates?: readonly (readonly [
    string,
    Omit<Certificates, "hostnames"> & { readonly hostnames: readonly (readonly [string, Hostname])[] },
  ])[];
}

export function readLegacyState(path: string): LegacyState {
  try {
    const saved = JSON.parse(readFileSync(path, "utf8")) as LegacyState;
    if ((saved.format as number) === 1) return saved;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
  }
  throw notAStateFile(path);
}
