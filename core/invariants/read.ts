import type { Requirement } from "../analysis/index.js";
import { readEach } from "../model/file-error.js";
import { isDay } from "../model/day.js";
import type { FileValues, Steps } from "../model/file-values.js";
import { readBySchema } from "../files/file-schema.js";
import {
  schema,
  type Invariant,
  type Requirement as WrittenRequirement,
} from "../files/generated/validate-invariants.js";
import type { NamedInvariant, ZoneSelector } from "./invariant.js";
import { requestFaults } from "./requests.js";

/**
 * Reads a file of invariants.
 * @throws FileError all mistakes with their places
 */
export function readInvariants(source: FileValues): readonly NamedInvariant[] {
  const { invariants } = readBySchema(source, schema);
  const names = invariants.map(({ name }) => name);
  return readEach(invariants, (one, index) => {
    const at = ["invariants", index];
    if (names.indexOf(one.name) < index)
      throw source.errorAt([...at, "name"], `"${one.name}" is the name of two invariants`);
    return readInvariant(source, one, at);
  });
}

function readInvariant(source: FileValues, invariant: Invariant, at: Steps): NamedInvariant {
  const { name, zones, requests: written, must, except = [] } = invariant;
  const requests = written === true ? "true" : written;
  const [error] = requestFaults(requests);
  if (error !== undefined) throw source.errorAt([...at, "requests"], `${error.message}\n${error.excerpt}`);
  readEach(except, ({ until }, index) => {
    if (!isDay(until)) throw source.errorAt([...at, "except", index, "until"], "must be the last day of the exception");
  });
  return { name, zones: selectorOf(zones), requests, must: requirementOf(must), except };
}

function selectorOf(zones: Invariant["zones"]): ZoneSelector {
  if (zones === undefined || zones === "all") return {};
  const { name, plan } = zones;
  return {
    ...(name === undefined ? {} : { names: [name].flat() }),
    ...(plan === undefined ? {} : { plans: [plan].flat() }),
  };
}

function requirementOf(must: WrittenRequirement): Requirement {
  if (typeof must === "string") return { kind: must };
  const { redirect, "reach-managed-rules": ruleset } = must;
  return ruleset === undefined ? { kind: "redirect", ...redirect } : { kind: "reach-managed-rules", ruleset };
}
