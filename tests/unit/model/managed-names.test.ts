import { managedRulesLine, ManagedNames, namedIn, namesInLine } from "../../../core/managed/names.js";
import { managedRulesets } from "../../../core/managed/rulesets.js";
import type { Ruleset } from "../../../core/model/ruleset.js";
import { anyText, fc } from "../../support/properties.js";

const [WORDPRESS, XSS, UNREAD] = ["a", "b", "c"].map((digit) => digit.repeat(32)) as [string, string, string];
const RULESET = "d".repeat(32);
const rule = (id: string, description?: string) => ({ id, ref: id, version: "1", action: "block", description });
const ruleset = (kind: string): Ruleset => ({
  ...{
    id: RULESET,
    name: "Cloudflare Test Ruleset",
    description: "",
    kind,
    phase: "http_request_firewall_managed",
    version: "1",
  },
  rules: [rule(WORDPRESS, "Wordpress - login"), rule(XSS, ' XSS ("reflected"), new '), rule(UNREAD)],
});
const learnt = (kind = "managed"): ManagedNames => {
  const names = new ManagedNames();
  names.learn(ruleset(kind));
  return names;
};

test("names managed rulesets and rules from what was read, and without that from the built-in list", () => {
  const names = learnt();
  expect([WORDPRESS, XSS, UNREAD, RULESET].map(names.of)).toEqual([
    "Wordpress - login",
    'XSS ("reflected"), new',
    undefined,
    "Cloudflare Test Ruleset",
  ]);
  expect(new ManagedNames().of(managedRulesets.owaspCore)).toBe("Cloudflare OWASP Core Ruleset");
});

test("ignores rules of users: their names may contain anything", () => {
  expect(learnt("zone").of(WORDPRESS)).toBeUndefined();
});

test("finds the names in a value wherever IDs occur, also as keys, without those of the built-in list", () => {
  const value = [{ rules: { [RULESET]: [XSS] }, overrides: [{ id: WORDPRESS }, { id: managedRulesets.free }], n: 1 }];
  expect(learnt().readIn(value)).toEqual({
    [RULESET]: "Cloudflare Test Ruleset",
    [XSS]: 'XSS ("reflected"), new',
    [WORDPRESS]: "Wordpress - login",
  });
  const loop: { self?: unknown } = Object.create({ resource: true }) as { self?: unknown };
  loop.self = loop;
  expect(learnt().readIn([loop])).toEqual({});
});

test("takes from a program only what are names", () => {
  const names = new ManagedNames();
  for (const passed of [{ [XSS]: "XSS", other: "x", [WORDPRESS]: 7 }, null, "not known yet"]) names.learnAll(passed);
  expect(names.readIn([XSS, WORDPRESS, "other"])).toEqual({ [XSS]: "XSS" });
});

test("lists twenty of many names, and counts the rest", () => {
  const ids = Array.from({ length: 23 }, (_, index) => index.toString(16).padStart(32, "0"));
  const text = namedIn([ids], (id) => `rule ${String(parseInt(id, 16))}`);
  expect(text).toContain(`${ids[19] ?? ""} ("rule 19"), and 3 more`);
  expect(text).not.toContain("rule 20");
});

const id = fc.stringMatching(/^[0-9a-f]{32}$/);
test("property: names in the line of a preview can be parsed back, whatever they contain", () => {
  fc.assert(
    fc.property(fc.dictionary(id, anyText({ minLength: 1 }), { maxKeys: 20 }), (names) => {
      expect(namesInLine(managedRulesLine(names))).toEqual({ ...names });
    }),
  );
});

test("no other line contains names of rules, even where it quotes text from users", () => {
  expect(namesInLine(`block ${JSON.stringify(`${XSS} ("harmless")`)} when ssl`)).toBeUndefined();
  expect(namesInLine(managedRulesLine({ [XSS]: `x ${WORDPRESS} ("harmless")` }))).toEqual({
    [XSS]: `x ${WORDPRESS} ("harmless")`,
  });
});
