import { managedRulesets } from "../../core/managed/rulesets.js";
import { everyWrittenAction, sampleSeed, type WrittenSample } from "../support/every-action.js";
import { EngineStack, type Library } from "./support/stack.js";

interface Args {
  readonly zoneId: string;
  readonly accountId: string;
  readonly samples: readonly WrittenSample[];
}
const program = ({ PhaseEntrypoint }: Library, { zoneId, accountId, samples }: Args) => {
  for (const { phase, level, rules } of samples) {
    new PhaseEntrypoint(phase, { ...(level === "zones" ? { zoneId } : { accountId }), phase, rules: [...rules] });
  }
};

/** What the state contains of each resource, apart from times. */
const stored = (stack: EngineStack) => stack.resources().map(({ urn, inputs, outputs }) => ({ urn, inputs, outputs }));

test("a program with every action previews, applies, and is unchanged when applied again", async () => {
  const stack = await EngineStack.start({ seed: sampleSeed });
  const args = {
    zoneId: await stack.service.zone(),
    accountId: await stack.service.account(),
    samples: everyWrittenAction,
  };
  const preview = await stack.preview(program, args);
  expect(preview.changes).toEqual({ create: everyWrittenAction.length + 1 });
  expect(preview.requests.sort()).toEqual([
    // Some rules name lists.
    `GET /accounts/${args.accountId}/rules/lists`,
    `GET /accounts/${args.accountId}/rulesets`,
    // For the zone's plan, because some actions need more than the smallest plan.
    `GET /zones/${args.zoneId}`,
    `GET /zones/${args.zoneId}/rulesets`,
    // For the rules that overrides name.
    `GET /zones/${args.zoneId}/rulesets/${managedRulesets.cloudflareManaged}`,
  ]);
  const up = await stack.up(program, args);
  expect(up.changes).toEqual({ create: everyWrittenAction.length + 1 });
  const before = stored(stack);
  const refresh = await stack.refresh();
  expect(stored(stack)).toEqual(before);
  expect(refresh.changes).toEqual({ same: everyWrittenAction.length + 1 });
  // A list for each scope, and a ruleset of each that was read before the others were requested.
  expect(refresh.requests.length).toBeLessThanOrEqual(4);
  expect(await stack.up(program, args)).toMatchObject({
    changes: { same: everyWrittenAction.length + 1 },
    requests: [],
  });
});
