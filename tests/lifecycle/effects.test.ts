import { parsePlan } from "../../provider/engine/plan-text.js";
import { argumentEffect, type Description, type Effect } from "../../provider/engine/description.js";
import { DESCRIPTIONS } from "../../provider/kinds/descriptions.js";
import type { Service } from "../support/emulator.js";
import { caseOf } from "./kinds/index.js";
import { Pair, type KindCase, type Values, type World } from "./kinds/kind-case.js";
import { startWorld } from "./kinds/world.js";
import { ManagedResource } from "./managed.js";

/* What the description of each argument says about a change of it is what the provider does. */

const ARGUMENTS = DESCRIPTIONS.flatMap((description) =>
  Object.keys(description.arguments).map((name) => [description.type, name, description] as const),
);

/** What the provider does with a change of an argument, and what the description says. */
async function effectOf(
  service: Service,
  { kind, ...tested }: KindCase,
  world: World,
  name: string,
  description: Description,
): Promise<{ readonly done: Effect; readonly said: Effect }> {
  const base = tested.base(world);
  const given = tested.changes(world)[name];
  const change = given instanceof Pair ? given : new Pair({}, { [name]: given });
  const resource = new ManagedResource<Values>(kind, service);
  await resource.up({ ...base, ...change.before });
  const changed = typeof change.after === "function" ? change.after(resource.kept?.state ?? {}) : change.after;
  const after = { ...base, ...changed };
  const said = argumentEffect(description, name, after);
  try {
    const { plans } = await resource.preview(after);
    const { action, requests } = await resource.up(after);
    if (action === "update") expectPlanned(plans, requests);
    if (action === "replace" || action === "none") return { said, done: action };
    // What may have to be written may turn out to be what the service has already.
    return { said, done: said === "write" || requests.some((one) => !one.startsWith("GET")) ? "write" : "record" };
  } catch (error) {
    if ((error as Error).message.startsWith(`${name}: `)) return { said, done: "refuse" };
    throw error;
  }
}

/** The preview has named every write, and none that is not sent, unless it says when. */
function expectPlanned(plans: readonly string[], requests: readonly string[]): void {
  const writes = plans.flatMap((text) => parsePlan(text)?.writes ?? []);
  const calls = writes.map(({ call }) => call.split(" (")[0]);
  const sent = requests.filter((one) => !one.startsWith("GET ")).map((one) => one.split("?")[0]);
  const sure = writes.filter(({ unless }) => unless === undefined);
  expect(sent).toEqual(expect.arrayContaining(sure.map(({ call }) => call.split(" (")[0])));
  expect(calls).toEqual(expect.arrayContaining(sent));
  if (sent.length === 0) expect(calls).toEqual([]);
}

test.each(ARGUMENTS)("a change of %s.%s does what the description says", async (kind, name, description) => {
  const { service, world } = await startWorld();
  const { done, said } = await effectOf(service, caseOf(kind), world, name, description);
  expect(done).toBe(said);
});
