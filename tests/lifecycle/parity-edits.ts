import { isObject, type JsonObject } from "../../core/model/json.js";
import type { Random } from "../support/generate.js";

/* Values that are nearly those of samples: one part of them is changed, mostly to something that another sample has there. */

/** By the name of a field, the values that it has somewhere. */
type Values = ReadonlyMap<string, readonly unknown[]>;

/** What samples have in their fields. */
export function valuesIn(samples: readonly unknown[], name: string): Values {
  const values = new Map<string, unknown[]>();
  const collect = (field: string, value: unknown): void => {
    values.set(field, [...(values.get(field) ?? []), value]);
    if (Array.isArray(value)) for (const item of value) collect(field, item);
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) collect(key, item);
  };
  for (const sample of samples) collect(name, sample);
  return values;
}

/** A value with one part of it changed. */
export function edited(value: unknown, name: string, random: Random, values: Values): unknown {
  const others = values.get(name) ?? [value];
  if (random.chance(0.15)) return random.pick(others);
  if (Array.isArray(value)) return editedList(value as unknown[], name, random, values);
  if (isObject(value)) return editedObject(value, name, random, values);
  if (typeof value === "number") return random.pick([0, -1, 1, value + 1, value * 100, value + 0.5, 999_999_999]);
  if (typeof value === "boolean") return !value;
  const text = String(value);
  const texts = ["", text.toUpperCase(), `${text}x`, text.slice(0, -1), "a".repeat(3000)];
  return random.pick([...texts, ...others.filter((one) => typeof one === "string")]);
}

function editedList(list: readonly unknown[], name: string, random: Random, values: Values): unknown {
  if (list.length === 0) return [random.pick(values.get(name) ?? [1])];
  const at = Math.floor(random.next() * list.length);
  return random.pick([
    () => [],
    () => [...list, list[at]],
    () => list.toSpliced(at, 1),
    () => list.with(at, edited(list[at], name, random, values)),
    () => list.with(at, edited(list[at], name, random, values)),
  ])();
}

function editedObject(object: JsonObject, name: string, random: Random, values: Values): unknown {
  const key = random.pick(["", ...Object.keys(object)]);
  const another = (values.get(name) ?? []).filter(isObject);
  return random.pick([
    () => ({}),
    () => Object.fromEntries(Object.entries(object).filter(([each]) => each !== key)),
    () => ({ ...object, ...(another.length === 0 ? {} : random.pick(another)) }),
    ...Array.from(
      { length: 5 },
      () => () => (key === "" ? object : { ...object, [key]: edited(object[key], key, random, values) }),
    ),
  ])();
}
