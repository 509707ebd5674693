import { resolve, sendable, type Node } from "./contract.js";

/** A generator of numbers determined by a seed, so that failures can be reproduced. */
export class Random {
  constructor(private state: number) {}

  /** At least 0, and less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  chance(share: number): boolean {
    return this.next() < share;
  }
  pick<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.next() * list.length)];
    if (list.length === 0) throw new Error("nothing to pick from");
    return found as T;
  }
}

/** Values that fit the name of a field better than its schema does; used half of the time. */
export type Hints = Readonly<Record<string, (random: Random) => unknown>>;

/** A value that fits a schema of the API description. */
export function valueOf(schema: unknown, random: Random, hints: Hints, name = "", depth = 0): unknown {
  const node = sendable(resolve(schema as Node)) as Node;
  if (Array.isArray(node.enum)) return random.pick(node.enum);
  const hint = Object.hasOwn(hints, name) ? hints[name] : undefined;
  if (hint !== undefined && random.chance(0.8)) return hint(random);
  if (node.const !== undefined) return node.const;
  const choices = (node.anyOf ?? node.oneOf) as readonly Node[] | undefined;
  const parts = (node.allOf ?? []) as readonly Node[];
  const chosen = choices === undefined ? undefined : valueOf(random.pick(choices), random, hints, name, depth + 1);
  if (parts.length > 0 || (choices !== undefined && node.properties !== undefined)) {
    const values = [
      ...parts.map((part) => valueOf(part, random, hints, name, depth + 1)),
      chosen,
      ownValue(node, random, hints, depth),
    ];
    const objects = values.filter((value) => typeof value === "object" && value !== null && !Array.isArray(value));
    return objects.length > 0 ? Object.assign({}, ...objects) : values.find((value) => value !== undefined);
  }
  return choices === undefined ? ownValue(node, random, hints, depth) : chosen;
}

function ownValue(node: Node, random: Random, hints: Hints, depth: number): unknown {
  const type = Array.isArray(node.type) ? random.pick(node.type as string[]) : node.type;
  if (type === "object" || node.properties !== undefined) return objectOf(node, random, hints, depth);
  switch (type) {
    case "array": {
      const least = Number(node.minItems ?? 0);
      const length = Math.max(least, depth > 6 ? 0 : Math.floor(random.next() * 3));
      return Array.from({ length }, () => valueOf(node.items ?? {}, random, hints, "", depth + 1));
    }
    case "string":
      return textOf(node, random);
    case "integer":
    case "number":
      return numberOf(node, random);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    default:
      return random.pick(["x", 1, true]);
  }
}

function objectOf(node: Node, random: Random, hints: Hints, depth: number): object {
  const required = new Set((node.required ?? []) as readonly string[]);
  const fields = Object.entries((node.properties ?? {}) as Node).filter(
    ([name, value]) => required.has(name) || isTag(value) || random.chance(depth > 6 ? 0 : 0.4),
  );
  const filled = fields.map(([name, value]) => [name, valueOf(value, random, hints, name, depth + 1)]);
  const least = Number(node.minProperties ?? 0);
  if (filled.length < least) {
    const [name, value] = random.pick(Object.entries((node.properties ?? { x: {} }) as Node));
    filled.push([name, valueOf(value, random, hints, name, depth + 1)]);
  }
  const more = node.additionalProperties;
  if (typeof more === "object" && random.chance(0.5)) filled.push(["a", valueOf(more, random, hints, "", depth + 1)]);
  return Object.fromEntries(filled) as object;
}

/** A field with a single possible value determines which of several objects this is. */
function isTag(schema: unknown): boolean {
  const { enum: values } = resolve(schema as Node);
  return Array.isArray(values) && values.length === 1;
}

function textOf(node: Node, random: Random): string {
  const least = Math.max(Number(node.minLength ?? 0), 0);
  const text = random.pick([
    "a",
    "example",
    "0123456789abcdef0123456789abcdef",
    "x y",
    "ü",
    `n${String(Math.floor(random.next() * 1e6))}`,
  ]);
  return text.padEnd(least, "x").slice(0, Number(node.maxLength ?? 200));
}

function numberOf(node: Node, random: Random): number {
  const least = Number(node.minimum ?? 0);
  const most = Number(node.maximum ?? least + 1000);
  const found = least + random.next() * (most - least);
  return node.type === "integer" ? Math.floor(found) : found;
}

const WRONG: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  "",
  "constructor",
  "__proto__",
  "toString",
  "a".repeat(5000),
  "\u0000",
  "\ud800",
  "%zz",
  [],
  [null],
  [[]],
  {},
  { constructor: 1 },
  { a: { b: { c: {} } } },
];

/** The same value with one part of it replaced, removed or added. */
export function mutated(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random.chance(0.25)) return random.pick(WRONG);
  if (Array.isArray(value)) {
    const items = value as unknown[];
    if (items.length === 0 || random.chance(0.2)) return [...items, random.pick(WRONG)];
    const at = Math.floor(random.next() * items.length);
    return items.map((item, index) => (index === at ? mutated(item, random) : item));
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.15))
    return { ...value, [random.pick(["constructor", "x", "id", "rules", ""])]: random.pick(WRONG) };
  const at = Math.floor(random.next() * entries.length);
  if (random.chance(0.15)) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(entries.map(([key, item], index) => [key, index === at ? mutated(item, random) : item]));
}
