import { failureOf } from "../support/failure.js";
import { TOKEN, type Service } from "../support/emulator.js";
import { declaredRules, phase } from "./declared-rules.js";
import { ManagedRuleset } from "./harness.js";
import { startRulesProgram, type ProgramArgs, type RulesProgram } from "./rules-program.js";
import { clear, secret, sent } from "./secrets-apart.js";

/*
 * The provider sees no state but that of the resource that it is called for. What exists may contain a secret that is known only
 * from another state.
 */

let service: Service;
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  ({ service, zoneId, program } = await startRulesProgram());
});

const { listed, single, list } = declaredRules(() => ({ service, zoneId }));
const SECRET = /wonderland|looking-glass/;
/** A rule with secrets. */
const hidden = (name: string, more: object = {}) =>
  listed(name, { expression: secret('http.host eq "wonderland"'), description: secret("looking-glass"), ...more });
/** The same rule after the secrets were rotated. */
const rotated = (name: string, more: object = {}) =>
  listed(name, { expression: secret('http.host eq "rabbit-hole"'), description: secret("tea-party"), ...more });
const shared = (rules: readonly object[], more: object = {}) => ({
  ...sent(list(rules, more)),
  kind: "PhaseEntrypoint",
});
const whole = (rules: readonly object[], more: object = {}) => shared(rules, { ownership: "exclusive", ...more });
const rule = (of: object, more: object = {}) => ({ ...sent({ ...single("r"), ...of, ...more }), kind: "RulesetRule" });

describe("a new resource shows no text of a rule that another resource may have had", () => {
  const IDENTITY = /block \[ref r, ID [0-9a-f]{32}, last changed [^\]]+\]/;
  const COMMAND = /npx pulumi-rulesets versions show 1 --zone \w+ --ruleset \w+ --typescript/;

  test.each<[string, () => ProgramArgs, () => ProgramArgs]>([
    ["of an occupied phase", () => ({ one: whole([hidden("r")]) }), () => ({ two: whole([rotated("r")]) })],
    ["of a phase with other rules", () => ({ one: whole([hidden("r")]) }), () => ({ two: whole([rotated("s")]) })],
    [
      "that it cannot adopt",
      () => ({ one: whole([hidden("r")]) }),
      () => ({ two: whole([rotated("s")], { onExisting: "adopt" }) }),
    ],
    [
      "with its ref in a shared ruleset",
      () => ({ one: shared([hidden("r")]) }),
      () => ({ two: shared([rotated("r")]) }),
    ],
    ["with its ref", () => ({ one: rule(hidden("r")) }), () => ({ two: rule(rotated("r")) })],
  ])("%s", async (_, before, after) => {
    await program.up(before());
    const text = await failureOf(program.preview(after()));
    expect(text).not.toMatch(SECRET);
    expect(text).toMatch(IDENTITY);
    expect(text).toMatch(COMMAND);
    expect(await failureOf(program.up(after()))).not.toMatch(SECRET);
  });

  test("but the names of the fields that differ, and how to rename it", async () => {
    await program.up({ one: whole([hidden("r")]) });
    const text = await failureOf(program.preview({ two: whole([rotated("r")]) }));
    expect(text).toContain("~ description, expression of: block [ref r, ");
    expect(text).toContain('{ aliases: [{ name: "<previous name>" }] }');
  });

  test("also where it drops the rule, or must not drop that many", async () => {
    await program.up({ one: whole([hidden("r")]) });
    const replaces = { two: whole([rotated("s")], { onExisting: "replace" }) };
    const { notes, warnings } = await program.preview(replaces);
    expect([...notes, ...warnings].join("\n")).toMatch(IDENTITY);
    expect([...notes, ...warnings].join("\n")).not.toMatch(SECRET);
    const text = await failureOf(program.preview(replaces, { maxRemovedPercent: 0 }));
    expect(text).toMatch(IDENTITY);
    expect(text).not.toMatch(SECRET);
  });

  test("and neither does a list that no longer shares its ruleset", async () => {
    await program.up({ one: shared([listed("a")]), rule: rule(hidden("r")) });
    const text = await failureOf(program.preview({ one: whole([listed("a"), listed("b")]) }));
    expect(text).toMatch(IDENTITY);
    expect(text).not.toMatch(SECRET);
  });
});

test("a list shows no comment of an existing list", async () => {
  const accountId = await service.account();
  const items = (comment: unknown, more: object = {}) => ({
    ...sent({ accountId, name: "office", items: [{ value: "192.0.2.7", comment }], ...more }),
    kind: "RulesList",
    rulesetKind: "ip",
  });
  await program.up({ one: items(secret("looking-glass")) });
  const text = await failureOf(program.preview({ two: items(secret("tea-party")) }));
  expect(text).toContain("~192.0.2.7: comment not shown → ");
  expect(text).not.toMatch(SECRET);
  const adopting = { two: items(secret("tea-party"), { onExisting: "adopt" }) };
  expect((await program.preview(adopting)).notes.join("\n")).not.toMatch(SECRET);
});

test("a token that somebody has pasted into a rule is in no state in clear", async () => {
  const resource = new ManagedRuleset("PhaseEntrypoint", service);
  await resource.up({ zoneId, phase, rules: [listed("a")] });
  const { id } = (await service.entrypoint(zoneId, phase)) ?? { id: "" };
  await service.addRule(`zones/${zoneId}`, id, { ...listed("b"), description: `for a test: ${TOKEN}` });
  const seen: unknown[] = [];
  await resource.refresh({ watch: (value) => void seen.push(clear(value)) });
  expect(JSON.stringify(seen)).toContain('"foreignRules":{"b":');
  expect(JSON.stringify(seen)).not.toContain(TOKEN);
});
