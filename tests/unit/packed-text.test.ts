import { brotliCompressSync } from "node:zlib";
import { fromText, toText } from "../../provider/engine/dense-text.js";
import { mapOfText, packedText } from "../../provider/engine/packed-text.js";
import { joinColumns, orderedColumns, textColumns } from "../../provider/engine/text-columns.js";
import { createHash } from "node:crypto";
import { LargeValues, withoutPacked } from "../../provider/engine/packed.js";
import { stableText, textOf, type JsonObject } from "../../provider/model/json.js";
import { UNKNOWN } from "../../provider/model/unknown.js";

const maps: readonly (readonly [string, JsonObject])[] = [
  ["without entries", {}],
  ["of addresses", { "192.0.2.1": "", "192.0.2.10": "", "10.0.0.0/8": "" }],
  [
    "with comments that look like lines",
    { "192.0.2.1": "a\nb", "192.0.2.2": "\n\n", "192.0.2.3": '"{}~', "192.0.2.4": " " },
  ],
  ["of redirects", { "example.com/a": { target: "https://b.example/", status: 302 }, "example.com/": { target: "x" } }],
  ["with what was to be removed", { "192.0.2.1": false, "192.0.2.2": "" }],
  ["with long common beginnings", { [`${"a".repeat(80)}1`]: "1", [`${"a".repeat(80)}2`]: "2", ["a".repeat(35)]: "" }],
  ["with names that JavaScript knows", { ["__proto__"]: "a", constructor: "b", "": "c" }],
  ["of characters outside the first plane", { "😀.example": "", "😁.example": "😂", "\ud83d": "" }],
];

test.each(maps)("a packed map %s is the same when it is unpacked", (_, map) => {
  expect(stableText(mapOfText(packedText(map)))).toBe(stableText(map));
});

test("texts of any length are the same", () => {
  for (let count = 1; count < 40; count += 1) {
    const map = Object.fromEntries(Array.from({ length: count }, (_, at) => [`${String(at * 7919)}.example`, ""]));
    expect(mapOfText(packedText(map))).toEqual(map);
  }
});

test("no character needs an escape in JSON, also as engines write it", () => {
  const text = packedText(
    Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`${String(at ** 3)}.example`, ""])),
  );
  expect(text).not.toMatch(/["\\<>&]|[^ -~]/);
});

test("a state that an earlier version wrote has JSON in base64", () => {
  const map = { "192.0.2.1": "office", "192.0.2.2": "" };
  const before = brotliCompressSync(JSON.stringify(map)).toString("base64");
  expect(mapOfText(before)).toEqual(map);
});

test("a state that a later one wrote has lines in 85 characters", () => {
  const text = "~8=uUombuA}_{$G;=dmth}#]xdI#$1kU65w#PjMT(.)rRbUjx3!kMQPk0wGtIeu+mxq]r|4Q2IG8Um#A";
  const map = { "a.example": "", "b.example": "b", "c.example/": { target: "https://x.example", status: 302 } };
  expect({ ...(mapOfText(text) as JsonObject) }).toEqual(map);
});

test("bytes of any number are the same as text", () => {
  for (let count = 0; count < 300; count += 1) {
    const bytes = createHash("shake256", { outputLength: count }).update(String(count)).digest();
    const text = toText(bytes);
    expect(fromText(text).equals(bytes)).toBe(true);
    expect(text.length).toBeLessThanOrEqual(Math.ceil((count * 8) / 6.3) + 1);
  }
  for (const byte of [0, 255]) expect(fromText(toText(Buffer.alloc(50, byte)))).toEqual(Buffer.alloc(50, byte));
});

test.each(["", "~", "=", "=AAAA", "~%%%%%", "AAAA", "~AAAAA\u0000"])("%j is not a packed map", (text) => {
  expect(mapOfText(text)).toBeUndefined();
});

test("a changed character never makes other items: of a state, nothing is left, or the same", () => {
  const items = Object.fromEntries(
    Array.from({ length: 150 }, (_, at) => [`${String(at * 7919)}.example`, String(at)]),
  );
  const packed = new LargeValues().packed({ items }, ["items"]);
  const text = packedText(items);
  const others = Array.from({ length: text.length }, (_, at) => {
    const changed = `${text.slice(0, at)}${text[at] === "a" ? "b" : "a"}${text.slice(at + 1)}`;
    const state: JsonObject = { ...packed, __packed: { items: changed } };
    const { items: found } = withoutPacked(state);
    return found === undefined || stableText(found) === stableText(items) ? [] : [at];
  });
  expect(others.flat()).toEqual([]);
});

test("columns of different lengths are no map", () => {
  const names = [...orderedColumns(["a", "b"]), ...textColumns(["1"])];
  expect(mapOfText(`=${toText(joinColumns(names))}`)).toBeUndefined();
  expect(mapOfText(`=${toText(joinColumns(names.slice(1)))}`)).toBeUndefined();
});

describe("inputs with fingerprints", () => {
  const many = (count: number): JsonObject =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [createHash("sha256").update(String(at)).digest("hex"), ""]),
    );
  const [items, names] = [many(101), ["items"]];
  const inputs = new LargeValues().packedInputs({ items, kind: "hostname" }, names, {});
  const state = new LargeValues().packed({ items }, names);

  test("have their values again in the run that noted them, and beside their state", () => {
    const run = new LargeValues();
    expect(run.restored(run.packedInputs({ items }, names, {}), names)).toEqual({ items });
    expect(new LargeValues().restored(inputs, names, state)).toEqual({ items, kind: "hostname" });
    expect(withoutPacked(inputs, state)).toEqual({ items, kind: "hostname" });
  });

  test("have texts where two are no larger than the entries, where somebody reads them, and where they had them", () => {
    const alike = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`10.0.0.${String(at)}`, ""]));
    const run = new LargeValues();
    const texts = (...given: Parameters<LargeValues["packedInputs"]>): unknown => run.packedInputs(...given).__packed;
    expect(texts({ items: alike }, names, {})).toEqual(run.packed({ items: alike }, names).__packed);
    expect(texts({ items }, names, {})).toBeUndefined();
    expect(texts({ items }, names, { isShown: true })).toEqual(state.__packed);
    for (const isShown of [true, false]) expect(texts({ items }, names, { before: inputs, isShown })).toBeUndefined();
    expect(texts({ items }, names, { before: state })).toEqual(state.__packed);
  });

  test("are unknown beside another state, and without one", () => {
    const other = new LargeValues().packed({ items: many(102) }, names);
    for (const beside of [{}, other]) expect(new LargeValues().restored(inputs, names, beside).items).toBe(UNKNOWN);
    expect(withoutPacked(inputs, other)).toEqual(inputs);
  });

  test("that an earlier version wrote are shorter, and stand for the same", () => {
    const shorter = textOf(state.items).slice(0, -16);
    expect(new LargeValues().restored({ ...state, items: shorter }, names)).toEqual({ items });
    expect(new LargeValues().restored({ items: shorter }, names, state)).toEqual({ items });
    expect(new LargeValues().restored(inputs, names, { ...state, items: shorter })).toMatchObject({ items });
    const damaged = { ...state, items: shorter.replace(/.$/, (last) => (last === "0" ? "1" : "0")) };
    expect(new LargeValues().restored(damaged, names).items).toBeUndefined();
  });

  test("leave values alone that are small, or none", () => {
    const small = { items: many(100), kind: "101 items, of a kind" };
    expect(new LargeValues().packedInputs(small, names, {})).toBe(small);
    expect(new LargeValues().packed(small, names)).toBe(small);
    expect(new LargeValues().restored(small, ["items", "kind"])).toBe(small);
  });
});
