import { isList, isObject, type Json, type JsonObject } from "../../provider/model/json.js";
import { HIDDEN } from "../../provider/model/secret.js";
import type { Step } from "./preview.js";
import type { SecretChanges } from "./rule-rows.js";

/** `rules["admin"].actionParameters.headers["x-a"].value`: the ref, then the fields. */
const RULE_PATH = /^rules(?:\.([\w-]+)|\["((?:[^"\\]|\\.)*)"\])(.*)$/;
const STEP = /\.([^.[\]]+)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/g;

/** Secrets that change, found by the paths in the engine's diff. */
export function secretChanges({ paths, before, after }: Step): SecretChanges {
  const found = new Map<string, string[]>();
  for (const path of paths) {
    const parts = RULE_PATH.exec(path);
    if (parts === null) continue;
    const ref = parts[1] ?? unescaped(parts[2] ?? "");
    const steps = Array.from((parts[3] ?? "").matchAll(STEP), ([, plain, quoted, index]) => {
      return plain ?? index ?? unescaped(quoted ?? "");
    });
    if (!isHidden(before?.inputs, ref, steps) || !isHidden(after?.inputs, ref, steps)) continue;
    found.set(ref, [...(found.get(ref) ?? []), steps.join(".")]);
  }
  return found;
}

function isHidden(inputs: JsonObject | undefined, ref: string, steps: readonly string[]): boolean {
  const value = ["rules", ref, ...steps].reduce<Json | undefined>(member, inputs);
  return value === HIDDEN;
}

function member(value: Json | undefined, name: string): Json | undefined {
  if (isList(value)) return value[Number(name)];
  return isObject(value) ? value[name] : undefined;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
