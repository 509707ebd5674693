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

  test("in shared lists change and delete only their own, also concurrently, and neither sees the other's as drift", async () => {
    expect((await a.up(program, shared(a1, a2))).ok).toBe(true);
    const preview = await b.preview(program, shared(b1));
    expect(preview.text).toContain("2 rules of others are left unchanged");
    expect(preview.text).toContain('1–2 others, 3 "b1" (yours)');
    expect((await b.up(program, shared(b1))).changes).toEqual({ create: 2 });
    expect(await names()).toEqual(["a1", "a2", "b1"]);

    expect((await a.refresh()).changes).toEqual({ same: 2 });
    const silent = await a.up(program, shared(a1, a2));
    expect([silent.changes, silent.requests]).toEqual([{ same: 2 }, []]);
    expect(silent.text).not.toContain("did not write");

    const both = await Promise.all([
      a.up(program, shared(block("a0", "ssl"), { ...a1, enabled: false }, a2)),
      b.up(program, shared(block("b2", "ssl"), b1)),
    ]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    const all = await names();
    expect(all.filter((name) => String(name).startsWith("a"))).toEqual(["a0", "a1", "a2"]);
    expect(all.filter((name) => String(name).startsWith("b"))).toEqual(["b2", "b1"]);

    expect((await b.destroy()).ok).toBe(true);
    expect(await names()).toEqual(["a0", "a1", "a2"]);
  });

  test("in shared lists: what the program drops is deleted while an interrupted replacement is completed", async () => {
    await a.up(program, shared(a1, a2));
    await b.up(program, shared(b1));
    await a.rewriteState((text) => text.replace(/"type":"[^"]*:PhaseEntrypoint"/, '$&,"pendingReplacement":true'));
    const up = await a.up(program, shared(a2));
    expect([up.ok, up.changes, methodsOf(writesIn(up.requests))]).toEqual([true, { replace: 1, same: 1 }, ["DELETE"]]);
    expect(await names()).toEqual(["a2", "b1"]);
  });
});
