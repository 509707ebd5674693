import { failureOf } from "../support/failure.js";
import { declaredRules } from "./declared-rules.js";
import { RulesProgram, startRulesProgram } from "./rules-program.js";

let service: Awaited<ReturnType<typeof startRulesProgram>>["service"];
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  ({ service, zoneId, program } = await startRulesProgram());
});
const { list, refs } = declaredRules(() => ({ service, zoneId }));

test("the limit on removals holds for a renamed resource whose old name another one has now", async () => {
  const limited = { maxRemovedPercent: 50 };
  await program.up({ one: list(["a", "b"], limited) });
  const renamed = await program.up({ two: list(["a", "b"], limited) }, { aliases: { two: "one" } });
  expect(renamed).toMatchObject({ actions: { two: "update" }, requests: "" });
  expect(await failureOf(program.up({ one: list(["c"], limited) }))).toContain("removes 2 of 3 rules");
  expect(await refs()).toEqual(["a", "b", "c"]);
});
