import { brotliCompressSync } from "node:zlib";
import { fromText, toText } from "../../provider/engine/dense-text.js";
import { digestText, isDigestText } from "../../provider/engine/digest-text.js";
import { mapOfText, packedText } from "../../provider/engine/packed-text.js";
import { joinColumns, orderedColumns, textColumns } from "../../provider/engine/text-columns.js";
import { createHash } from "node:crypto";
import { withoutPacked, withPacked } from "../../provider/engine/packed.js";
import { asItems, digestsIn, digestsOf, digitsIn, named } from "../../provider/lists/digests.js";
import type { Items } from "../../provider/lists/item.js";
import { stableText, type JsonObject } from "../../provider/model/json.js";
import { earlierDigestText, SALT, withDigestOf } from "../support/short-digests.js";

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

const earlier: readonly (readonly [string, string])[] = [
  ["~8=uUombuA}_{$G;=dmth}#]xdI#$1kU65w#PjMT(.)rRbUjx3!kMQPk0wGtIeu+mxq]r|4Q2IG8Um#A", "b"],
  [
    "?0v73CIl1[_0v73CIl1[_Mi%AuOO^hSBghS5WB*t_L3f(RX)daX1O$.hyD7vx00003X;{AB5c8XpOX%%e60?LGMNICY6Hm:0Ee;ny%6k#HWIsVN0*%aK-bmmq",
    "b",
  ],
  [
    "!0v73CIl1[_0v73CIl1[_6fnoN+r?db3A6g@b]eCD3bxKu7dyy8ZPEIl:[%-(00003X;{AB8j!XmYd}RewmcwL005?{.!oB!6]BW?Nf5F*w;er",
    "",
  ],
];
test.each(earlier)("what an earlier version wrote is read: %s", (text, details) => {
  const items: Items = {
    "a.example": "",
    "b.example": details,
    ...(details === "" ? { constructor: "" } : { "c.example/": { target: "https://x.example", status: 302 } }),
  };
  const found = mapOfText(text) as Items;
  expect({ ...named(found, [{ "d.example": "", ...items }]) }).toEqual(items);
  if (isDigestText(text)) {
    expect(digestText(items, SALT, text)).toBe(text);
    expect(Object.keys(named(found, [{ "b.example": details }])).filter((key) => Object.hasOwn(items, key))).toEqual([
      "b.example",
    ]);
  }
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

/** Items by digests, as a state has them. */
function held(items: Items, ofValues = true): Items {
  return asItems(digestsOf(items, SALT, ofValues) ?? { head: "", each: {} });
}

test.each<readonly [string, Items]>([
  ["without details", { "a.example": "", constructor: "", "b.example": "" }],
  ["with details", { "a.example": "", "b.example": "b", "c.example/": { target: "https://x.example", status: 302 } }],
])("items %s have their values again where these are known", (_, items) => {
  const text = digestText(items, SALT) ?? "";
  expect(isDigestText(text)).toBe(true);
  expect(isDigestText(packedText({ ...items } as JsonObject))).toBe(false);
  expect(text).not.toMatch(/["\\<>&]|[^ -~]/);
  const digests = mapOfText(text) as Items;
  const { "b.example": details = "", ...others } = items;
  expect({ ...named(digests, [others, { "b.example": details, "d.example": "" }]) }).toEqual({ ...items });
  // The details that are known last are those of the digest.
  const changed = named(digests, [{ ...items, "b.example": "other" }, items]);
  expect({ ...changed }).toEqual({ ...items });
  expect(named(digests, [others])["b.example"]).not.toBe(details === "" ? "" : details);
});

const domains = (count: number, comment = ""): Items =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${String(at * 7919)}.example`, comment]));

test.each([1, 2, 3, 4, 5, 101, 3000])("digests of %d items are theirs again, in whatever order", (count) => {
  for (const comment of ["", "a"]) {
    const items = domains(count, comment);
    const [first, ...more] = Object.entries(items).reverse();
    expect(named(held(items), [Object.fromEntries([...more, first ?? []])])).toEqual(items);
    const left = named(held(items), [Object.fromEntries(more)]);
    expect([Object.keys(left).length, Object.keys(left).filter((key) => Object.hasOwn(items, key)).length]).toEqual([
      count,
      count - 1,
    ]);
  }
});

test.each([true, false])("the text of digests is theirs, with digests of values: %s", (ofValues) => {
  const items = ofValues ? domains(3000) : { ...domains(200), "a.example": "a", "b.example": { comment: "b" } };
  const text = digestText(items, SALT) ?? "";
  expect(mapOfText(text)).toEqual(held(items, ofValues));
});

test("values that are shorter than their digests stand for themselves, and tell which item is gone", () => {
  const items = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [String(at * 7919), `comment ${String(at)}`]),
  );
  const found = mapOfText(digestText(items, SALT) ?? "") as Items;
  const { 0: gone, ...left } = items;
  expect(gone).toBe("comment 0");
  expect({ ...named(found, [left]), 0: "" }).toEqual({ ...left, 0: "" });
  expect(Object.keys(named(found, [left]))).toContain("0");
});

test("digests stay while the items do, and have another salt with others", () => {
  const items = domains(101);
  const text = digestText(items, SALT);
  expect(digestText(items, "f".repeat(32), text)).toBe(text);
  expect(digestText(items, "f".repeat(32))).not.toBe(text);
  expect(digestText(domains(102), "f".repeat(32), text)).toBe(digestText(domains(102), "f".repeat(32)));
});

test("of a comment that somebody changed to one with the same digest, no details count as known", () => {
  const comments = ["0", "5061560"];
  const digestOf = (comment = ""): string =>
    createHash("sha256")
      .update(`${SALT}a.example\n${JSON.stringify(comment)}`)
      .digest("hex")
      .slice(0, 6);
  const [ours = "", theirs = ""] = comments;
  expect(digestOf(theirs)).toBe(digestOf(ours));
  const [items, now] = [ours, theirs].map((comment): Items => ({ "a.example": comment, "b.example": "b" }));
  const found = named(held(items ?? {}), [now ?? {}]);
  expect(found).toEqual(digestsIn(held(items ?? {}))?.each);
  expect(named(held(items ?? {}), [now ?? {}, items ?? {}])).toEqual(items);
});

test("a changed character never makes other items: of a state, nothing is left, or the same", () => {
  const items = Object.fromEntries(
    Array.from({ length: 150 }, (_, at) => [`${String(at * 7919)}.example`, String(at)]),
  );
  const packed = withPacked({ items }, ["items"]);
  const text = packedText(items);
  const others = Array.from({ length: text.length }, (_, at) => {
    const changed = `${text.slice(0, at)}${text[at] === "a" ? "b" : "a"}${text.slice(at + 1)}`;
    const state: JsonObject = { ...packed, __packed: { items: changed } };
    const { items: found } = withoutPacked(state);
    return found === undefined || stableText(found) === stableText(items) ? [] : [at];
  });
  expect(others.flat()).toEqual([]);
});

test("digests that are cut off are none, and new ones take their place", () => {
  for (const text of [digestText(domains(200), SALT) ?? "", ...earlier.map(([one]) => one)]) {
    if (!isDigestText(text)) continue;
    for (let length = 1; length < text.length; length += 7) {
      const cut = text.slice(0, length);
      expect(() => mapOfText(cut)).not.toThrow();
      expect(digestText(domains(200), SALT, cut)).toBe(digestText(domains(200), SALT));
    }
  }
});

test("columns of different lengths are no map", () => {
  const names = [...orderedColumns(["a", "b"]), ...textColumns(["1"])];
  expect(mapOfText(`=${toText(joinColumns(names))}`)).toBeUndefined();
  expect(mapOfText(`=${toText(joinColumns(names.slice(1)))}`)).toBeUndefined();
});

test("values that are no text in UTF-8 are the same beside digests of their comments", () => {
  const items = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`${String(at)}\ud83d`, `comment ${String(at)}`]),
  );
  const digests = mapOfText(digestText(items, SALT) ?? "") as Items;
  expect(Object.keys(digests).filter((key) => Object.hasOwn(items, key))).toHaveLength(200);
});

test.each([false, true])(
  "an item of others with the digest of one that is gone is not taken for it; comments: %s",
  (commented) => {
    const items = domains(101, commented ? "a" : "");
    const digests = mapOfText(earlierDigestText(items)) as Items;
    expect(named(digests, [items])).toEqual(items);
    const [own, foreign] = withDigestOf(Object.keys(items));
    const { [own]: _gone, ...left } = items;
    expect(named(digests, [{ ...left, [foreign]: "" }])).not.toEqual(items);
    // Beside the own one, neither counts as known.
    const both = Object.keys(named(digests, [{ ...items, [foreign]: "" }]));
    expect(both.filter((key) => key === own || key === foreign)).toEqual([]);
    if (!commented) expect(Object.keys(named(digests, [{ ...left, [foreign]: "" }]))).not.toContain(foreign);
  },
);

test("digests have as many digits as tell items of others apart, and shorter ones are replaced", () => {
  const items = domains(101, "a");
  for (const before of [undefined, earlierDigestText(items)]) {
    const digests = digestsIn(mapOfText(digestText(items, SALT, before) ?? "") as Items);
    expect(digitsIn(digests?.head ?? "").key % 10).toBe(0);
  }
});
