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
}
const program = ({ PhaseEntrypoint }: Library, { zoneId, rules }: Args) => {
  const custom = new PhaseEntrypoint("custom", { zoneId, phase: "http_request_firewall_custom", rules: [...rules] });
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
});
