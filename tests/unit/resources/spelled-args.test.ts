import * as pulumi from "@pulumi/pulumi";
import {
  PhaseEntrypoint,
  Ruleset,
  RulesetRule,
  type Action,
  type PhaseEntrypointArgs,
  type types,
} from "../../../provider/index.js";

/* The compiler checks these types: `npm run types` fails if an expected error is missing. */

declare const text: string;
declare const zoneId: pulumi.Output<string>;
declare const action: Action;
declare const rule: types.input.RulesetRule;
declare const list: pulumi.Output<types.input.RulesetRule[]>;
const expression = "ssl";
const phase = "http_request_firewall_custom";
const shared = { zoneId: "z", phase: "http_ratelimit", rules: [{ action: "block" as const, expression }] };
const kind = "zone";
const LOG = { action: "log", expression } as const;

export const ACCEPTED = [
  (): unknown => new PhaseEntrypoint("a", { zoneId, phase, rules: [{ action: "block", expression }, rule] }),
  (): unknown => new PhaseEntrypoint("a", { accountId: text, phase: text, rules: list }),
  (): unknown => new PhaseEntrypoint("a", shared),
  (): unknown =>
    new PhaseEntrypoint("a", { zoneId, phase: zoneId, rules: zoneId.apply(() => [{ action: "log", expression }]) }),
  (args: PhaseEntrypointArgs): unknown => new PhaseEntrypoint("a", { ...args, description: "more" }),
  // A name that is newer than this version, on purpose.
  (): unknown =>
    new PhaseEntrypoint("a", {
      zoneId,
      phase: "newer" as string,
      rules: [{ action: pulumi.output("newer"), expression }],
    }),
  (): unknown => new Ruleset("a", { zoneId, kind, name: "a", phase }),
  (): unknown =>
    new Ruleset("a", { zoneId, kind, name: "a", phase, rules: [{ action, expression, action_parameters: {} }] }),
  (): unknown => new RulesetRule("a", { zoneId, phase, action, expression }),
  (): unknown => new RulesetRule("a", { zoneId, rulesetId: "id", action: zoneId, expression }),
];

export const REFUSED = [
  // @ts-expect-error a misspelled phase
  (): unknown => new PhaseEntrypoint("a", { zoneId, phase: "http_ratelimt", rules: [] }),
  // @ts-expect-error a misspelled action
  (): unknown => new PhaseEntrypoint("a", { zoneId, phase, rules: [{ action: "blok", expression }] }),
  // @ts-expect-error a misspelled action among others
  (): unknown => new PhaseEntrypoint("a", { zoneId, phase, rules: [LOG, { action: "blok", expression }] }),
  // @ts-expect-error neither a zone nor an account
  (): unknown => new PhaseEntrypoint("a", { phase, rules: [] }),
  // @ts-expect-error both a zone and an account
  (): unknown => new PhaseEntrypoint("a", { zoneId, accountId: text, phase, rules: [] }),
  // @ts-expect-error a list without rules
  (): unknown => new PhaseEntrypoint("a", { zoneId, phase }),
  // @ts-expect-error a misspelled phase
  (): unknown => new Ruleset("a", { zoneId, kind, name: "a", phase: "http_ratelimt" }),
  // @ts-expect-error a misspelled action
  (): unknown => new Ruleset("a", { zoneId, kind, name: "a", phase, rules: [{ action: "blok", expression }] }),
  // @ts-expect-error neither a zone nor an account
  (): unknown => new Ruleset("a", { kind, name: "a", phase }),
  // @ts-expect-error a misspelled phase
  (): unknown => new RulesetRule("a", { zoneId, phase: "http_ratelimt", action: "log", expression }),
  // @ts-expect-error a misspelled action
  (): unknown => new RulesetRule("a", { zoneId, phase, action: "blok", expression }),
  // @ts-expect-error neither a zone nor an account
  (): unknown => new RulesetRule("a", { phase, action: "log", expression }),
];

test("the compiler reports misspelled phases and actions, and a missing zone or account", () => {
  expect([ACCEPTED.length, REFUSED.length]).toEqual([10, 12]);
});
