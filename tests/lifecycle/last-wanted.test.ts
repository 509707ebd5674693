import { runRecord } from "../../provider/kinds/rulesets/run.js";
import type { Session } from "../../provider/engine/session.js";
import { omit } from "../../core/model/json.js";
import { declaredRules } from "./declared-rules.js";
import { startService } from "./harness.js";
import { fromWire, Run, type Props } from "./run.js";

let zoneId: string;
const { listed, single, list } = declaredRules(() => ({ service, zoneId }));
let service: Awaited<ReturnType<typeof startService>>["service"];
beforeEach(async () => {
  ({ service, zoneId } = await startService());
});

const URN = "urn:pulumi:dev::p::pulumi-nodejs:dynamic/rulesets:Any::one";

test.each([
  ["PhaseEntrypoint", () => list(["a"]), () => list([listed("a", { enabled: false })])],
  ["RulesetRule", () => single("a"), () => single("a", { enabled: false })],
])("what a %s wanted in the last run stays in memory only if it changes", async (kind, before, after) => {
  const sent = (args: object) => ({ ...omit(args as Props, ["kind"]), __urn: URN });
  const first = new Run(service.emulator.url, {});
  const stored = await first.create(kind, fromWire(await first.check(kind, {}, sent(before()))));
  for (const [args, action] of [
    [before(), "none"],
    [after(), "update"],
  ] as const) {
    const run = new Run(service.emulator.url, {});
    const checked = fromWire(await run.check(kind, stored.inputs, sent(args)));
    expect(lastIn(run.session)).toBeDefined();
    expect(await run.diff(kind, stored, checked)).toBe(action);
    expect(lastIn(run.session) === undefined).toBe(action === "none");
  }
});

function lastIn(session: Session): unknown {
  return runRecord(session).wantedBefore.get(URN);
}
