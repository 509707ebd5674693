import { rulesetsOfStates } from "../../../core/invariants/states";
import { zonesOf } from "../../../core/invariants/zones";
import { UNKNOWN } from "../../../core/model/unknown";

const PHASE = "http_request_firewall_custom";
const one = (properties: object): unknown => rulesetsOfStates([{ name: "waf", properties: properties as never }]).at(0);

test("rules by ref, in their order", () => {
  const rules = { b: { action: "block", expression: "ssl" }, a: { action: "log", expression: "ssl" }, __defaults: [] };
  expect(one({ zoneId: "z", phase: PHASE, rules, order: "a\nb\n", rulesetId: "r" })).toEqual({
    id: "r",
    name: "waf",
    kind: "zone",
    phase: PHASE,
    zoneId: "z",
    rules: [
      { ref: "a", action: "log", expression: "ssl" },
      { ref: "b", action: "block", expression: "ssl" },
    ],
  });
});

test("rules as a list, as the plugin returns them", () => {
  const rules = [{ ref: "a", action: "log", expression: "ssl" }];
  expect(one({ accountId: "a", phase: PHASE, kind: "root", rules })).toMatchObject({
    kind: "root",
    accountId: "a",
    rules,
  });
});

test("a shared list and a single rule are parts of rulesets", () => {
  expect(one({ zoneId: "z", phase: PHASE, rules: {}, order: "", ownership: "shared" })).toMatchObject({ isPart: true });
  const rule = { ref: "a", action: "block", expression: "ssl" };
  expect(one({ zoneId: "z", phase: PHASE, ...rule, ruleId: "1", version: "3", position: { index: 1 } })).toEqual({
    name: "waf",
    kind: "zone",
    phase: PHASE,
    zoneId: "z",
    rules: [rule],
    isPart: true,
    position: { index: 1 },
  });
});

test("what is not known is marked", () => {
  const rules = { a: { action: "block", expression: UNKNOWN } };
  const zone = { zoneId: "z", phase: PHASE };
  expect(one({ ...zone, rules, order: "a\n", rulesetId: UNKNOWN })).toMatchObject({
    rules: [{ ref: "a", action: "block", opaque: "waf a" }],
  });
  expect(one({ ...zone, rules: UNKNOWN, order: UNKNOWN })).toMatchObject({ rules: [{ opaque: "waf" }] });
});

test.each<[string, object, readonly unknown[] | undefined]>([
  ["by key", { items: { "192.0.2.0/24": "" } }, ["192.0.2.0/24"]],
  [
    "as a program writes them",
    { items: ["192.0.2.1", { value: "192.0.2.2/32", comment: "a" }] },
    ["192.0.2.1", "192.0.2.2"],
  ],
  ["that are not known yet", { items: UNKNOWN }, undefined],
  ["of which one is not known yet", { items: ["192.0.2.1", UNKNOWN] }, undefined],
  ["of a file", { itemsFile: "office.csv" }, undefined],
  ["beside those of others", { items: { "192.0.2.1": "" }, ownership: "shared" }, undefined],
])("rulesets know the lists of the stack: items %s", (_what, list, items) => {
  const waf = { name: "waf", properties: { zoneId: "z", phase: PHASE, rules: {}, order: "" } };
  const office = { name: "l", properties: { accountId: "a", name: "office", kind: "ip", ...list } as never };
  const lists = items === undefined ? undefined : { office: { kind: "ip", items } };
  expect(rulesetsOfStates([waf, office])[0]?.lists).toEqual(lists);
  expect(rulesetsOfStates([waf, office, office])[0]?.lists).toBeUndefined();
});

test("resources without rules are left out", () => {
  expect(one({ zoneId: "z", hostnameId: "h", certificateAuthority: "google" })).toBeUndefined();
});

test("zones of rulesets have those of the account as well", () => {
  const rulesets = rulesetsOfStates(
    [{ zoneId: "a" }, { zoneId: "b" }, { zoneId: UNKNOWN }, { accountId: "c" }].map((where, index) => ({
      name: String(index),
      properties: { ...where, phase: PHASE, rules: {}, order: "" },
    })),
  );
  const names = zonesOf(rulesets, { label: "the stack" }).map(
    ({ label, rulesets: own, open = [], mayHaveMore = [] }) => [
      label,
      own.map(({ name }) => name),
      [...open, ...mayHaveMore].map(({ why }) => why),
    ],
  );
  // A lookup may find any of them.
  const others = ["the stack has rules of zones whose IDs are not known yet, which may be this zone"];
  expect(names).toEqual([
    ["zone a", ["0", "3"], others],
    ["zone b", ["1", "3"], others],
    [
      "zone of 2 (known after `pulumi up`)",
      ["2", "3"],
      ["the ID of the zone is not known before `pulumi up`, and neither is what else runs there"],
    ],
  ]);
});
