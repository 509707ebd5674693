import type { ErrorObject } from "ajv";
import { closest, distance } from "fastest-levenshtein";
import type { GroupDefinition } from "./group-definition.js";
import { declareSchema } from "./schemas.js";
import { seedPath } from "./seed-item.js";
import type { Named } from "./seed-part.js";
import { seedSchema, type Seed } from "./seed.js";

/** An invalid seed. */
export class SeedError extends Error {}

/**
 * Makes a function that parses seeds of these groups. It rejects a misspelled key, an invalid value, and duplicate names, with
 * the location.
 */
export function seedParser(groups: readonly GroupDefinition[]): (seed: unknown) => Seed {
  const validator = declareSchema(seedSchema(groups));
  return (sent) => {
    if (!isEmpty(sent)) {
      const validate = validator();
      if (!validate(sent)) throw new SeedError(`seed: ${faultOf(validate.errors?.[0])}`);
    }
    const seed = sent as Seed;
    const unique = groups.flatMap((group) => Object.entries(group.seed.unique?.(seed) ?? {}));
    for (const [property, objects] of unique) refuseTwice(property, objects);
    return seed;
  };
}

/** Such a seed needs no schema, whose compilation is a sixth of the start. */
function isEmpty(sent: unknown): boolean {
  return typeof sent === "object" && sent !== null && !Array.isArray(sent) && Object.keys(sent).length === 0;
}

function refuseTwice(what: string, items: readonly Named[]): void {
  const seen = new Map<string, number>();
  items.forEach((item, index) => {
    for (const key of [item.id, item.name]) {
      const first = seen.get(key);
      if (first !== undefined && first !== index)
        throw new SeedError(`seed: ${what}[${String(index)}] already exists as ${what}[${String(first)}]: ${key}`);
      seen.set(key, index);
    }
  });
}

function faultOf(error: ErrorObject | undefined): string {
  if (error === undefined) return "it is not valid";
  const { instancePath, keyword, params, data, message } = error;
  const at = seedPath(instancePath);
  const { additionalProperty, allowedValues, missingProperty } = params as Readonly<Record<string, unknown>>;
  if (keyword === "additionalProperties") {
    const { properties } = error.parentSchema as { properties: object };
    const where = at === "" ? "there is no" : `${at} has no`;
    const [name, names] = [String(additionalProperty), Object.keys(properties)];
    const near = closest(name, names);
    const isNear = distance(name, near) <= Math.max(1, Math.floor(name.length / 3));
    return `${where} ${name}; ${isNear ? `did you mean ${near}?` : `the known ones are ${names.join(", ")}`}`;
  }
  if (keyword === "required") return `${at === "" ? "" : `${at}.`}${String(missingProperty)} is required`;
  const shown = JSON.stringify(data).slice(0, 60);
  if (keyword === "enum") return `${at} must be one of ${(allowedValues as string[]).join(", ")}, not ${shown}`;
  return `${at === "" ? "it" : at} ${message ?? "is not valid"}, not ${shown}`;
}
