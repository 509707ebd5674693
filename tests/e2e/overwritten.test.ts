import type { Rule as RulesetRule } from "../../provider/index.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly rules: readonly RulesetRule[];
}
const program = ({ PhaseEntrypoint }: Library, { zoneId, rules }: Args) => {
  new PhaseEntrypoint("mine", { zoneId, phase: "http_request_firewall_custom", rules: [...rules] });
};
const rules = [block("A", "ssl"), block("B", "not ssl")];
const changed = [...rules, block("C", "true")];
const night = { action: "block", expression: "ip.src eq 203.0.113.9", description: "3am" };

describe("a change by someone else between the read and the write of a run", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  afterEach(() => stack.close());
  const entry = () => stack.service.entrypoint(zoneId, phase);
  const names = async () => (await entry())?.rules.map(({ description }) => description);
  const meanwhile = async () => {
    const path = `/zones/${zoneId}/rulesets/${(await entry())?.id ?? ""}/rules`;
    await stack.service.fault({ method: "PUT", meanwhile: [{ method: "POST", path, body: night }] });
  };

  test("fails the up, which shows what was overwritten; the next up sends no request and changes nothing", async () => {
    await stack.up(program, { zoneId, rules });
    await meanwhile();
    const failed = await stack.up(program, { zoneId, rules: changed });
    expect(failed.ok).toBe(false);
    expect(failed.text).toContain("this run's write (version 3) undid that");
    expect(failed.text).toContain('+ block "3am" when ip.src eq 203.0.113.9');
    expect(failed.text).toMatch(/To continue:\n\s+- restore it: add it to `rules`/);
    expect(await names()).toEqual(["A", "B", "C"]);
    expect(stack.resources()[0]?.outputs).toMatchObject({ version: "3" });
    const next = await stack.up(program, { zoneId, rules: changed });
    expect([next.ok, next.requests]).toEqual([true, []]);
    expect((await stack.up(program, { zoneId, rules: changed })).changes).toEqual({ same: 2 });
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
  });
});
