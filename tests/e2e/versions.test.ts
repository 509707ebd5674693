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
  /** A secret text in a rule. */
  readonly secret?: string;
}
const program = ({ PhaseEntrypoint, pulumi }: Library, { zoneId, rules, secret }: Args) => {
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
  });
  return { version: custom.version, previous: custom.previousVersion };
};
const a = block("A", "ssl", { ref: "a" });
const b = block("B", "not ssl", { ref: "b" });

describe("the history of an entry point", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  const deployed = () => stack.service.rules(zoneId, phase);
  const refs = async () => (await deployed()).map(({ ref }) => ref);
  const versions = (...args: string[]) => {
    const env = { RULESETS_BASE_URL: stack.emulator.url, RULESETS_API_TOKEN: TOKEN };
    return cli(["versions", ...args, "--zone", zoneId, "--phase", phase], env);
  };

  test("restores what a destroy has emptied, with the command", async () => {
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
  });

  test("shows no older secret of a version in a refresh or in the state, and functions compare versions", async () => {
    await stack.up(program, { zoneId, rules: [a], secret: "qzxkvjwq-one" });
    await stack.up(program, { zoneId, rules: [b], secret: "vvkqxzjj-two" });
    expect((await versions("restore", "1", "--yes")).code).toBe(0);
    expect((await deployed())[1]).toMatchObject({ expression: 'http.host eq "qzxkvjwq-one"' });
    expect((await stack.refresh()).text).not.toMatch(/qzxkvjwq|vvkqxzjj/);
    expect(stack.stateText()).not.toMatch(/qzxkvjwq|vvkqxzjj/);

    const same = await stack.up(program, { zoneId, rules: [a], secret: "qzxkvjwq-one" });
    expect([same.ok, writesIn(same.requests)]).toEqual([true, []]);

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
    const { outputs } = await stack.up(asking, zoneId);
    expect(outputs).toEqual({ versions: ["3", "2", "1"], added: ["b"], removed: ["a"] });
  });
});
