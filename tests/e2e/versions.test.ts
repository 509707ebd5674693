import type { Rule as RulesetRule } from "../../provider/index.js";
import { cli } from "../cli/support.js";
import { TOKEN } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly rules: readonly RulesetRule[];
  readonly more?: object;
  /** A secret text in a rule. */
  readonly secret?: string;
}
const program = ({ PhaseEntrypoint, pulumi }: Library, { zoneId, rules, more, secret }: Args) => {
  const hidden: RulesetRule[] =
    secret === undefined
      ? []
      : [
          {
            ref: "hidden",
            action: "block",
            expression: pulumi.secret(`http.host eq "${secret}"`),
          },
        ];
  const custom = new PhaseEntrypoint("custom", {
    zoneId,
    phase: "http_request_firewall_custom",
    rules: [...rules, ...hidden],
    ...more,
  });
  return { version: custom.version, previous: custom.previousVersion };
};
const a = block("A", "ssl", { ref: "a" });
const b = block("B", "not ssl", { ref: "b" });
const c = block("C", "ip.src eq 192.0.2.1", { ref: "c" });

describe("the history of an entry point", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  afterEach(() => stack.close());
  const deployed = () => stack.service.rules(zoneId, phase);
  const refs = async () => (await deployed()).map(({ ref }) => ref);
  const versions = (...args: string[]) => {
    const env = { RULESETS_BASE_URL: stack.emulator.url, RULESETS_API_TOKEN: TOKEN };
    return cli(["versions", ...args, "--zone", zoneId, "--phase", phase], env);
  };

  test("restores what a destroy has emptied, with the command and with the argument", async () => {
    const args = { zoneId, rules: [a, b] };
    expect((await stack.up(program, args)).outputs).toEqual({ version: "1" });
    expect((await stack.destroy()).ok).toBe(true);
    expect(await deployed()).toEqual([]);

    const shown = await versions("restore", "1");
    expect([shown.code, await refs()]).toEqual([2, []]);
    const next = /npx pulumi-rulesets versions (restore .*)$/m.exec(shown.stdout)?.[1]?.split(" ") ?? [];
    expect(next.slice(-3)).toEqual(["--if-current", "2", "--yes"]);
    const env = { RULESETS_BASE_URL: stack.emulator.url, RULESETS_API_TOKEN: TOKEN };
    expect((await cli(["versions", ...next], env)).code).toBe(0);
    expect(await refs()).toEqual(["a", "b"]);
    const adopted = await stack.up(program, args);
    expect([adopted.ok, writesIn(adopted.requests)]).toEqual([true, []]);

    await stack.up(program, { zoneId, rules: [a, b], more: { onExisting: "adopt" } });
    expect((await stack.destroy()).ok).toBe(true);
    expect(await refs()).toEqual([]);
    const restored = { zoneId, rules: [c], more: { restoreVersion: "3" } };
    const preview = await stack.preview(program, restored);
    expect([preview.ok, writesIn(preview.requests)]).toEqual([true, []]);
    expect(preview.text).toContain("version 3 is used instead of `rules`, which differ");
    expect(preview.text).toContain('expression: "not ssl"');
    const up = await stack.up(program, restored);
    expect([up.ok, writesIn(up.requests).length, await refs()]).toEqual([true, 1, ["a", "b"]]);
    expect((await stack.up(program, restored)).requests).toEqual([]);
    expect((await stack.refresh()).ok).toBe(true);
    expect((await stack.up(program, restored)).requests).toEqual([]);
  });

  test("never shows an older secret of a version in plain text, neither in a preview nor in the state", async () => {
    await stack.up(program, { zoneId, rules: [a], secret: "qzxkvjwq-one" });
    await stack.up(program, { zoneId, rules: [b], secret: "vvkqxzjj-two" });
    const restored = { zoneId, rules: [b], secret: "vvkqxzjj-two", more: { restoreVersion: "1" } };
    for (const outcome of [await stack.preview(program, restored), await stack.up(program, restored)]) {
      expect(outcome.ok).toBe(true);
      expect(outcome.text).not.toMatch(/qzxkvjwq|vvkqxzjj/);
    }
    expect((await deployed())[1]).toMatchObject({ expression: 'http.host eq "qzxkvjwq-one"' });
    expect(stack.stateText()).not.toMatch(/qzxkvjwq|vvkqxzjj/);
    expect((await stack.up(program, restored)).requests).toEqual([]);
    expect((await stack.refresh()).text).not.toMatch(/qzxkvjwq|vvkqxzjj/);
    expect(stack.stateText()).not.toMatch(/qzxkvjwq|vvkqxzjj/);
  });

  test("is listed and compared by functions", async () => {
    await stack.up(program, { zoneId, rules: [a, b] });
    await stack.up(program, { zoneId, rules: [a, c] });
    const asking = async (lib: Library, zone: string) => {
      const place = { zoneId: zone, phase: "http_request_firewall_custom" };
      const list = await lib.listRulesetVersions(place);
      const diff = lib.diffRulesetVersionsOutput({ ...place, from: "1", to: lib.pulumi.output("2") });
      return {
        versions: list.map(({ version }) => version),
        added: diff.added.apply((rules) => rules.map(({ ref }) => ref)),
        removed: diff.removed.apply((rules) => rules.map(({ ref }) => ref)),
      };
    };
    const up = await stack.up(asking, zoneId);
    expect(up.outputs).toEqual({ versions: ["2", "1"], added: ["c"], removed: ["b"] });
  });

  test("a limit in the stack stops preview, up and destroy; the variable allows one run", async () => {
    await stack.setConfig({ "rulesets:maxRemovedPercent": { value: "40" } });
    await stack.up(program, { zoneId, rules: [a, b] });
    for (const outcome of [
      await stack.preview(program, { zoneId, rules: [a] }),
      await stack.up(program, { zoneId, rules: [a] }),
      await stack.destroy(),
    ]) {
      expect(outcome.ok).toBe(false);
      expect(outcome.text).toMatch(/this (change|delete) removes (1 of 2 rules, 50|every rule \(2\), 100) percent/);
      expect(outcome.text).toContain('- block "B" when not ssl [ref b');
      expect(writesIn(outcome.requests)).toEqual([]);
    }
    stack.setEnv({ RULESETS_MAX_REMOVED_PERCENT: "50" });
    expect((await stack.up(program, { zoneId, rules: [a] })).ok).toBe(true);
    expect(await refs()).toEqual(["a"]);
    stack.setEnv({ RULESETS_MAX_REMOVED_PERCENT: "100" });
    expect((await stack.destroy()).ok).toBe(true);
    expect(await refs()).toEqual([]);
    stack.setEnv({ RULESETS_MAX_REMOVED_PERCENT: "many" });
    const wrong = await stack.preview(program, { zoneId, rules: [a] });
    expect(wrong.text).toContain('RULESETS_MAX_REMOVED_PERCENT is "many"; it must be a number from 0 to 100');
  });
});
