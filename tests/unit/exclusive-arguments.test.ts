import type { Description } from "../../provider/engine/description.js";
import type { ValueType } from "../../provider/engine/named-type.js";
import { answerLookup, LOOKUPS } from "../../provider/sdk/functions/index.js";
import { DirectLookup } from "../../provider/sdk/functions/via.js";
import { DESCRIPTIONS } from "../../provider/kinds/descriptions.js";
import { findKind } from "../../provider/kinds/index.js";
import type { JsonObject } from "../../core/model/json.js";
import { findingText } from "../../provider/validation/index.js";
import { offlineSession } from "../support/offline.js";

/* A check and a call refuse what a description excludes. */

const session = () => offlineSession({ previewChecks: "off" });
const VALUES: Readonly<Record<string, unknown>> = {
  zoneId: "a".repeat(32),
  accountId: "b".repeat(32),
  rulesetId: "c".repeat(32),
  customHostnameId: "0d89c70d-ad9f-4843-b99f-6cc0252067e9",
  hostname: "shop.example.com",
  phase: "http_request_firewall_custom",
  rules: [],
  adjustments: {},
  items: [],
  itemsFile: "items.csv",
};
const groups = DESCRIPTIONS.flatMap((description: Description) => {
  const { type, exactlyOneOf = [], atMostOneOf = [] } = description;
  return [
    ...exactlyOneOf.map((names) => [type, names, false, others(exactlyOneOf, names)] as const),
    ...atMostOneOf.map((names) => [type, names, true, others(exactlyOneOf, names)] as const),
  ];
});

/** One argument of each other group. */
function others(all: readonly (readonly string[])[], group: readonly string[]): string[] {
  return all.filter((names) => names !== group).flatMap(([first]) => first ?? []);
}

/** The failures about a group, when some of its arguments are given. */
async function failures(type: string, group: readonly string[], given: readonly string[]): Promise<string[]> {
  const args = Object.fromEntries(given.map((name) => [name, VALUES[name]]));
  const found = await findKind(type)?.check(
    session(),
    {},
    { urn: "", run: { preview: true }, args: args as JsonObject },
  );
  const texts = (found?.failures ?? []).map(findingText);
  return texts.filter((text) => group.every((name) => text.includes(name)));
}

test.each(groups)("%s takes one of %j", async (type, group, mayBeNone, rest) => {
  expect(group.filter((name) => VALUES[name] === undefined)).toEqual([]);
  expect(await failures(type, group, [...group, ...rest])).toHaveLength(1);
  expect(await failures(type, group, rest)).toHaveLength(mayBeNone ? 0 : 1);
  for (const name of group) expect(await failures(type, group, [name, ...rest])).toEqual([]);
});

/** A value of a type around the objects in it that have members of which one must be given. */
function around(type: ValueType, make: (names: readonly string[]) => unknown): unknown {
  if (typeof type === "string") return undefined;
  if ("list" in type) return [around(type.list, make)];
  if ("map" in type) return { a: around(type.map, make) };
  const { definition } = type;
  return definition.kind === "object" && definition.exactlyOneOf !== undefined
    ? make(definition.exactlyOneOf)
    : undefined;
}

const memberGroups = DESCRIPTIONS.flatMap(({ type, arguments: args }: Description) =>
  Object.entries(args).flatMap(([name, argument]) => {
    let found: readonly string[] | undefined;
    around(argument.type, (names) => (found = names));
    return found === undefined ? [] : [[type, name, found, argument.type] as const];
  }),
);

test.each(memberGroups)("%s takes one member of %s: %j", async (type, name, names, valueType) => {
  const texts = async (make: (names: readonly string[]) => unknown): Promise<string> => {
    const args = { [name]: around(valueType, make) } as JsonObject;
    const found = await findKind(type)?.check(session(), {}, { urn: "", run: { preview: true }, args });
    return (found?.failures ?? []).map(findingText).join("\n");
  };
  expect(await texts(() => ({}))).toMatch(new RegExp(`${name}.*: .* is required; specify exactly one`));
  const all = await texts((each) => Object.fromEntries(each.map((member) => [member, "x"])));
  expect(all).toMatch(new RegExp(`${name}.*: ${names.join(".*")} are mutually exclusive; specify exactly one`));
});

const direct = new DirectLookup(() => {
  throw new Error("no request is expected");
});
const functionGroups = LOOKUPS.flatMap(({ description: { name, exactlyOneOf = [] } }) =>
  exactlyOneOf.map((group) => [name, group] as const),
);

test.each(functionGroups)("the function %s takes one of %j", async (name, group) => {
  const all = Object.fromEntries(group.map((argument) => [argument, "a".repeat(32)]));
  await expect(answerLookup(name, all, direct)).rejects.toThrow(`${group.join(" and ")} are mutually exclusive`);
  await expect(answerLookup(name, {}, direct)).rejects.toThrow(`${group.join(" or ")} is required`);
});
