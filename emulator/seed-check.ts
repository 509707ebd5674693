import type { ErrorObject } from "ajv";
import { declareSchema } from "./schemas.js";
import type { Named } from "./seed-part.js";
import { SEED, SEED_PARTS, type Seed } from "./seed.js";

const seedValidator = declareSchema(SEED);

/** An invalid seed. */
export class SeedError extends Error {}

/** Rejects a seed with a misspelt key, an invalid value, or duplicate names, with the location. */
export function checkSeed(seed: unknown): asserts seed is Seed {
  const validate = seedValidator();
  if (!validate(seed)) throw new SeedError(`seed: ${faultOf(validate.errors?.[0])}`);
  const unique = SEED_PARTS.flatMap((part) => Object.entries(part.unique?.(seed as Seed) ?? {}));
  for (const [property, objects] of unique) refuseTwice(property, objects);
}

function refuseTwice(what: string, items: readonly Named[]): void {
  const seen = new Map<string, number>();
  items.forEach((item, index) => {
    for (const key of new Set([item.id, item.name])) {
      const first = seen.get(key);
      if (first !== undefined)
        throw new SeedError(`seed: ${what}[${String(index)}] already exists as ${what}[${String(first)}]: ${key}`);
      seen.set(key, index);
    }
  });
}

function faultOf(error: ErrorObject | undefined): string {
  if (error === undefined) return "it is not valid";
  const { instancePath, keyword, params, data, message } = error;
  const at = pathOf(instancePath);
  const { additionalProperty, allowedValues, missingProperty } = params as Readonly<Record<string, unknown>>;
  if (keyword === "additionalProperties") {
    const { properties } = error.parentSchema as { properties: object };
    const where = at === "" ? "there is no" : `${at} has no`;
    return `${where} ${String(additionalProperty)}; the known ones are ${Object.keys(properties).join(", ")}`;
  }
  if (keyword === "required") return `${at === "" ? "" : `${at}.`}${String(missingProperty)} is required`;
  const shown = JSON.stringify(data).slice(0, 60);
  if (keyword === "enum") return `${at} must be one of ${(allowedValues as string[]).join(", ")}, not ${shown}`;
  return `${at === "" ? "it" : at} ${message ?? "is not valid"}, not ${shown}`;
}

/** A JSON pointer in path notation: `zones[0].plan`. */
function pathOf(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
