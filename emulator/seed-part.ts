import { hash } from "node:crypto";
import type { Schema } from "./schemas.js";

/**
 * What a folder of the emulator adds to the seed: the schemas of its properties of the seed, and of each zone in it. The
 * compiler reports properties of the types that have no schema.
 */
export interface SeedPart<Added extends object = object, AddedToZone extends object = object> {
  readonly properties: Readonly<Record<keyof Added, Schema>>;
  readonly zoneProperties: Readonly<Record<keyof AddedToZone, Schema>>;
  /** By property, the objects of the seed whose IDs and names must be unique. */
  unique?(seed: Added): Readonly<Record<string, readonly Named[]>>;
}

/** For groups that add nothing to the seed. */
export const noSeed: SeedPart = { properties: {}, zoneProperties: {} };

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** An object with exactly these keys; the compiler reports keys of the type that are missing. */
export const exactly = <T>(
  properties: Readonly<Record<keyof T, Schema>>,
  required: readonly (keyof T)[] = [],
): Schema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
export const anyObject = { type: "object" };
export const count = { type: "integer", minimum: 0 };
export const id = { type: "string", pattern: "^[0-9a-f]{32}$" };

/** The ID of an account or zone without one in the seed, derived from its name alone. */
export function idFrom(prefix: string, name: string): string {
  return hash("sha256", `${prefix}/${name}`, "hex").slice(0, 32);
}

/** An object of the seed as the service names its fields: `{ uploadedOn }` becomes `{ uploaded_on }`. Their values stay. */
export function namedAsByService(item: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]: [string, unknown]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
