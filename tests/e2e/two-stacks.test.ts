import type { Rule as RulesetRule } from "../../provider/index.js";
import { methodsOf, writesIn } from "../support/requests.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly rules: readonly RulesetRule[];
  readonly more?: object;
}
const program = ({ PhaseEntrypoint }: Library, { zoneId, rules, more }: Args) => {
  new PhaseEntrypoint("mine", { zoneId, phase: "http_request_firewall_custom", rules: [...rules], ...more });
};

describe("two stacks with rules in one entry point", () => {
  let a: EngineStack;
  let b: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    a = await EngineStack.start();
    b = await EngineStack.start({ config: { "rulesets:baseUrl": { value: a.emulator.url } } });
    zoneId = await a.service.zone();
  });
  const deployed = () => a.service.rules(zoneId, phase);
  const names = async () => (await deployed()).map(({ description }) => description);
  const shared = (...rules: RulesetRule[]): Args => ({ zoneId, rules, more: { ownership: "shared" } });
  const [a1, a2, b1] = ["a1", "a2", "b1"].map((name) => block(name, `http.host eq "${name}.example"`)) as [
    RulesetRule,
    RulesetRule,
    RulesetRule,
  ];

  test("in shared lists: what the program drops is deleted while an interrupted replacement is completed", async () => {
    await a.up(program, shared(a1, a2));
    await b.up(program, shared(b1));
    await a.rewriteState((text) => text.replace(/"type":"[^"]*:PhaseEntrypoint"/, '$&,"pendingReplacement":true'));
    const up = await a.up(program, shared(a2));
    expect([up.ok, up.changes, methodsOf(writesIn(up.requests))]).toEqual([true, { replace: 1, same: 1 }, ["DELETE"]]);
    expect(await names()).toEqual(["a2", "b1"]);
  });
});
