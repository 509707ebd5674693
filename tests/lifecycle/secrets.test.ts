import type { Service, WireRule } from "../support/emulator.js";
import { echoes, partsOf } from "../support/echoes.js";
import { ruleToWire } from "../../client/index.js";
import { fromText } from "../../provider/engine/stored-as-json.js";
import type { RulesetRule } from "../../core/model/generated/rule.js";
import { AtTheBorder, bare, secret } from "./at-the-border.js";
import { startService } from "./harness.js";
import { startOldZone } from "./old-zone.js";
import { fc, runs } from "../support/properties.js";

const phase = "http_request_firewall_custom";

/** Texts of which no four consecutive characters occur anywhere else. */
const canary = fc
  .array(
    fc.tuple(
      fc.constantFrom(...Array.from("qxzjvkQXZJVK")),
      fc.constantFrom(...Array.from("qxzjvkQXZJVK0189 \"\\<&%+'/=ß日")),
    ),
    {
      minLength: 5,
      maxLength: 12,
    },
  )
  .map((pairs) => `${pairs.flat().join("")}q`);

const quoted = (text: string): string => `"${text.replace(/["\\]/g, (sign) => `\\${sign}`)}"`;

const response = (content: unknown): object => ({ response: { statusCode: 403, contentType: "text/plain", content } });
const rule = (more: object): object => ({
  action: "block",
  expression: "true",
  actionParameters: response("open"),
  ...more,
});
const other = rule({ expression: "ssl" });

/** The places for secrets in a rule. */
const places: Readonly<Record<string, (text: string) => object>> = {
  value: (text) => rule({ actionParameters: response(secret(text)) }),
  expression: (text) => rule({ expression: secret(`http.host eq ${quoted(text)}`) }),
  description: (text) => rule({ description: secret(text) }),
  parameters: (text) => rule({ actionParameters: secret(response(text)) }),
  rule: (text) => secret(rule({ description: text, expression: `http.host eq ${quoted(text)}` })),
};

describe("secrets in rules, whatever fails", () => {
  let service: Service;
  let zoneId: string;
  beforeEach(async () => {
    ({ service, zoneId } = await startService());
  });

  const wireOf = (rule: object): WireRule => ruleToWire(bare(rule) as RulesetRule);
  const there = async () => {
    const all = await service.list(`zones/${zoneId}`);
    const found = all.find((ruleset) => ruleset.phase === phase && ruleset.kind !== "managed");
    if (found === undefined) throw new Error("nothing there");
    return service.ruleset(`zones/${zoneId}`, found.id);
  };
  const echo = async (method: string, text: string): Promise<void> => {
    const errors = [{ code: 20127, message: `'${text}' is not valid`, source: { pointer: `/rules/0/${text}` } }];
    await service.fault({ method, status: 400, body: { success: false, result: null, errors, messages: [] } });
  };

  test("never leave in clear, not even in part", async () => {
    await fc.assert(
      fc.asyncProperty(
        canary,
        fc.constantFrom(...Object.keys(places)),
        fc.constantFrom(...Object.keys(echoes)),
        fc.nat(),
        fc.constantFrom("PhaseEntrypoint", "Ruleset"),
        async (text, place, encoding, from, kind) => {
          await service.reset();
          zoneId = await service.zone();
          const border = new AtTheBorder(kind, service.emulator.url);
          const secretive = places[place]?.(text) ?? {};
          const args = (...rules: object[]) => ({
            zoneId,
            phase,
            name: secret(`${text}-name`),
            description: secret(`about ${text}`),
            rules: [secretive, ...rules],
            ...(kind === "Ruleset" ? { kind: "custom" } : {}),
          });
          const part = (echoes[encoding] ?? String)(text.slice(from % (text.length - 8)));
          await echo("POST", part);
          expect(await border.up(args(), { preview: true })).toBe(true);
          expect(await border.up(args())).toBe(false);
          await service.fault({ method: "POST", status: 500, body: `<html><b>${part}</b></html>` });
          await service.fault({ method: "GET", path: "*/entrypoint", status: 502, body: text, times: 2 });
          await border.up(args());
          await service.noFaults();
          expect(await border.up(args())).toBe(true);
          expect(JSON.stringify(await there())).toContain(JSON.stringify(text).slice(1, -1));

          // Someone copies the rule, and writes the secret in another field.
          const { id } = await there();
          const copy = { ...wireOf(secretive), description: `copy of ${text}` };
          await service.addRule(`zones/${zoneId}`, id, copy);
          expect(await border.refresh()).toBe(true);
          expect(await border.up(args())).toBe(false);
          expect(await border.up(args(other), { preview: true })).toBe(false);
          expect(await border.up(args(other))).toBe(false);
          expect(await border.destroy()).toBe(false);
          await service.replace(`zones/${zoneId}`, id, {
            description: `edited ${text}`,
            rules: [{ ...copy, ref: (await there()).rules[0]?.ref }],
          });
          expect(await border.up(args(other))).toBe(false);
          expect(await border.refresh()).toBe(true);

          await echo("PUT", part);
          expect(await border.up(args(other))).toBe(false);
          await service.fault({ method: "PUT", cut: "before" });
          await service.fault({ method: "GET", path: `*/rulesets/${id}`, status: 500, body: `"${text}`, times: 9 });
          expect(await border.up(args(other))).toBe(false);
          await service.noFaults();
          expect(await border.up(args(other), { onConflict: "overwrite" })).toBe(true);
          await service.addRule(`zones/${zoneId}`, id, copy);
          expect(await border.destroy()).toBe(false);
          expect(await border.destroy({ onConflict: "overwrite" })).toBe(true);

          const leaks = border.leaving.filter((line) => isLeaking(line, text));
          expect(leaks).toEqual([]);
        },
      ),
      { numRuns: runs(7) },
    );
  });

  test("what someone else writes in place of a secret is secret too, and so is a part of one in another rule", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    const rules = [rule({ expression: secret('http.host eq "the-hidden-name"'), description: "Hidden" })];
    const changed = { zoneId, phase, rules: [...rules, other] };
    expect(await border.up({ zoneId, phase, rules })).toBe(true);
    const { id, rules: deployed } = await there();
    await service.editRule(`zones/${zoneId}`, id, deployed[0]?.id ?? "", {
      ...wireOf(rule({ description: "Hidden" })),
      expression: 'http.host ne "rewritten"',
    });
    await service.addRule(`zones/${zoneId}`, id, {
      ...wireOf(rule({ expression: "not ssl" })),
      description: "like the-hidd… but open",
    });
    expect(await border.up(changed)).toBe(false);
    const conflict = border.leaving.find((text) => text.includes("was changed by somebody else")) ?? "";
    expect(conflict).toContain('~ expression of: block "Hidden" when [secret]');
    expect(conflict).toContain('+ block "[secret]" when not ssl');
    expect(conflict).toContain('expression: "[secret]",');
    expect(conflict).toContain('// "[secret]" replaces a value that is secret in this program and is not printed.');
    expect(border.leaving.join("\n")).not.toMatch(/rewritten|the-hidd/);
    await border.refresh();
    expect(border.leaving.join("\n")).not.toMatch(/rewritten|the-hidd/);
  });

  test("what someone else wrote in place of a secret between the read and the write is secret too", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    const hidden = rule({ expression: secret('http.host eq "the-hidden-name"'), description: "Hidden" });
    const rewrite = async (): Promise<void> => {
      const { id, rules } = await there();
      const body = { ...wireOf(rule({ description: "Hidden" })), expression: 'http.host ne "rewritten"' };
      const path = `/zones/${zoneId}/rulesets/${id}/rules/${rules[0]?.id ?? ""}`;
      await service.fault({ method: "PUT", meanwhile: [{ method: "PATCH", path, body }] });
    };
    await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: [wireOf(hidden)] });
    await rewrite();
    const args = (...rules: object[]) => ({ zoneId, phase, onExisting: "adopt", rules });
    const first = [hidden, other];
    for (const rules of [first, [hidden], [other]]) {
      expect(await border.up(args(...rules))).toBe(false);
      // Of a rule that it has just taken over, no text is shown.
      const shown = rules === first ? "~ expression of: block [ref " : '"Hidden" when [secret]';
      expect(border.leaving.filter((text) => text.includes("undid that")).at(-1)).toContain(shown);
      expect(await border.up(args(...rules))).toBe(true);
      if (rules.includes(hidden)) await rewrite();
    }
    expect(await border.up(args(hidden))).toBe(true);
    await rewrite();
    expect(await border.destroy()).toBe(false);
    expect(border.leaving.join("\n")).not.toMatch(/rewritten|the-hidd/);
  });

  test("a ref that someone else derived from a secret is encrypted everywhere", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    const args = { zoneId, phase, rules: [places.value?.("the-hidden-name")] };
    expect(await border.up(args)).toBe(true);
    await service.addRule(`zones/${zoneId}`, (await there()).id, { ...wireOf(other), ref: "the-hidden-name" });
    expect(await border.refresh()).toBe(true);
    expect(JSON.stringify(border.kept)).toContain("the-hidden-name");
    expect(await border.up(args)).toBe(false);
    expect(await border.up({ ...args, rules: [...args.rules, rule({ expression: "not ssl" })] })).toBe(false);
    expect(border.leaving.join("\n")).not.toContain("hidden-name");
  });

  test("words that identify rules are left out where they are secret, and kept where they are not", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    const args = {
      zoneId,
      phase,
      rules: [rule({ description: secret("the-hidden-name") }), rule({ description: "Open", enabled: false })],
    };
    expect(await border.up(args)).toBe(true);
    await service.addRule(`zones/${zoneId}`, (await there()).id, {
      ...wireOf(other),
      description: "copy of the-hidden-name",
    });
    expect(await border.refresh()).toBe(true);
    expect(fromText(border.kept?.outputs.deployedRules)).toEqual([
      expect.not.objectContaining({ description: expect.anything() as unknown }),
      expect.objectContaining({ action: "block", description: "Open", enabled: false }),
      expect.not.objectContaining({ description: expect.anything() as unknown }),
    ]);
    expect(border.leaving.join("\n")).not.toContain("hidden-name");
  });

  test.each([
    ["declared", true],
    ["not declared", false],
  ])("a name or description into which someone else wrote a secret is encrypted, the name %s", async (_, isNamed) => {
    const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    const name = isNamed ? { name: "Our name" } : {};
    const args = { zoneId, phase, ...name, description: "Ours", rules: [places.value?.("the-hidden-name")] };
    expect(await border.up(args)).toBe(true);
    await service.ask("PUT", `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`, {
      name: "now the-hidden-name",
      description: "then the-hidden-name",
      rules: [{ ...wireOf(places.value?.("the-hidden-name") ?? {}), ref: (await there()).rules[0]?.ref }],
    });
    expect(await border.refresh()).toBe(true);
    const kept = JSON.stringify(border.kept);
    expect([kept, kept]).toEqual([
      expect.stringContaining("then the-hidden-name"),
      isNamed ? expect.stringContaining("now the-hidden-name") : expect.not.stringContaining("now the-"),
    ]);
    expect(border.leaving.join("\n")).not.toContain("hidden-name");
  });
});

test("a secret in a migration never leaves, even if the previous WAF contains it too", async () => {
  const text = "qzX jvQ\\kxZ/vjq";
  const expression = `http.cookie contains ${quoted(text)}`;
  const { service, zoneId } = await startOldZone({
    firewallRules: [{ expression: `${expression} and ssl`, description: "Partners" }],
    progression: { never: true },
  });
  const border = new AtTheBorder("ZoneWafMigration", service.emulator.url);
  const skip = { action: "skip", expression: secret(expression), actionParameters: { ruleset: "current" } };
  const args = (more: object = {}) => ({
    ...{ zoneId, mode: "pending", acknowledgeIrreversible: true, wait: false },
    adjustments: { append: [skip], ...more },
  });
  // A selector without a match prints the existing rules.
  expect(await border.up(args({ drop: [{ expression: secret(`${expression} or ssl`) }] }), { preview: true })).toBe(
    false,
  );
  for (const [name, echo] of Object.entries(echoes)) {
    const errors = [{ message: `${name}: ${echo(text.slice(3))}` }];
    await service.fault({ method: "PUT", status: 400, body: { success: false, result: null, errors, messages: [] } });
    expect(await border.up(args())).toBe(false);
  }
  expect(await border.up(args())).toBe(true);
  expect(await border.refresh()).toBe(true);
  expect(await border.up(args())).toBe(true);
  expect(await border.destroy()).toBe(false);
  expect(JSON.stringify(border.kept?.outputs.retrievedConfig)).toContain("kxZ/vjq");
  expect(border.leaving.filter((line) => isLeaking(line, text))).toEqual([]);
});

/** Whether a text contains four consecutive characters of another, in any encoding. */
function isLeaking(line: string, text: string): boolean {
  return partsOf(text, 4).some((piece) => Object.values(echoes).some((echo) => line.includes(echo(piece))));
}
