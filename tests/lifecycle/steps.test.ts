import type { RulesetRule } from "../../core/model/generated/rule.js";
import { managedRulesets, SCORING_RULE } from "../../core/managed/rulesets.js";
import { everyAction, sampleSeed } from "../support/every-action.js";
import { block } from "../support/rules.js";
import { lifecycle, type Ids } from "./steps.js";

const phase = "http_request_firewall_custom";
const a = block("A", "ssl");
const b = block("B", "not ssl");
const LIST = "GET /rulesets";
const PUT = "PUT /rulesets/<id>";

/** The same life at both levels: entry points of an account execute rulesets where those of a zone have rules. */
interface Level {
  readonly scope: (ids: Ids) => object;
  readonly kind: string;
  readonly phase: string;
  readonly otherPhase: string;
  readonly rules: readonly [RulesetRule, RulesetRule, RulesetRule];
}

const execute = (id: string, overrides: object): RulesetRule => ({
  action: "execute",
  expression: 'cf.zone.plan eq "ENT"',
  actionParameters: { id, overrides },
});
const LEVELS: readonly (readonly [string, Level])[] = [
  [
    "a zone",
    {
      scope: ({ zoneId }) => ({ zoneId }),
      kind: "zone",
      phase,
      otherPhase: "http_ratelimit",
      rules: [a, b, block("C", "ip.src eq 192.0.2.1")],
    },
  ],
  [
    "an account",
    {
      scope: ({ accountId }) => ({ accountId }),
      kind: "root",
      phase: "http_request_firewall_managed",
      otherPhase: "http_custom_errors",
      rules: [
        execute(managedRulesets.cloudflareManaged, { categories: [{ category: "wordpress", enabled: false }] }),
        execute(managedRulesets.owaspCore, { rules: [{ id: SCORING_RULE, scoreThreshold: 60, action: "log" }] }),
        execute(managedRulesets.exposedCredentialsCheck, { action: "log" }),
      ],
    },
  ],
];

describe.each(LEVELS)("%s", (_, { scope, kind, phase: own, otherPhase, rules: [one, two, three] }) => {
  lifecycle("an entry point from creation to deletion", "PhaseEntrypoint", (ids) => {
    const rules = (...list: object[]) => ({ ...scope(ids), phase: own, rules: list });
    const get = `GET /rulesets/phases/${own}/entrypoint`;
    return [
      { inputs: rules(one), expect: "create", requests: [LIST, "POST /rulesets"] },
      { inputs: rules(one, two), expect: "update", requests: [get, PUT] },
      { inputs: rules(two, one), expect: "update", requests: [get, PUT] },
      { inputs: rules(two, { ...one, enabled: false }), expect: "update", requests: [get, PUT] },
      { inputs: { ...rules(two), description: "Ours" }, expect: "update", requests: [get, PUT] },
      {
        inputs: { ...rules(two), description: "Ours", name: "edge" },
        expect: "update",
        requests: [get, `PUT /rulesets/phases/${own}/entrypoint`],
      },
      // A warning names the zone.
      { inputs: rules(), expect: "update", requests: [get, ...(kind === "zone" ? ["GET"] : []), PUT] },
      { inputs: rules(three), expect: "update" },
      { inputs: { ...rules(), phase: otherPhase }, expect: "replace" },
    ];
  });

  lifecycle("options are no difference, and onDelete is saved without a request", "PhaseEntrypoint", (ids) => {
    const inputs = { ...scope(ids), phase: own, rules: [one] };
    return [
      { inputs, expect: "create" },
      { inputs: { ...inputs, onExisting: "adopt" }, expect: "none", requests: [] },
      { inputs: { ...inputs, onConflict: "overwrite" }, expect: "none", requests: [] },
      { inputs: { ...inputs, onDelete: "delete" }, expect: "update", requests: [] },
      { inputs, expect: "update", requests: [] },
    ];
  });

  lifecycle("a custom ruleset from creation to deletion", "Ruleset", (ids) => {
    const ruleset = (name: string, ...rules: object[]) => ({ ...scope(ids), kind: "custom", name, phase, rules });
    return [
      { inputs: ruleset("one", a), expect: "create", requests: [LIST, "POST /rulesets"] },
      { inputs: ruleset("one", a, b), expect: "update", requests: ["GET /rulesets/<id>", PUT] },
      {
        inputs: { ...ruleset("one", a, b), description: "Ours" },
        expect: "update",
        requests: ["GET /rulesets/<id>", PUT],
      },
      { inputs: ruleset("two", a, b), expect: "replace" },
      { inputs: ruleset("two"), expect: "update" },
    ];
  });

  lifecycle("an entry point as a Ruleset", "Ruleset", (ids) => [
    { inputs: { ...scope(ids), kind, name: "edge", phase: own, rules: [one] }, expect: "create" },
    { inputs: { ...scope(ids), kind, name: "other", phase: own, rules: [one] }, expect: "update" },
    { inputs: { ...scope(ids), kind, name: "other", phase: otherPhase }, expect: "replace" },
  ]);
});

lifecycle("refs named like properties of Object.prototype are ordinary refs", "PhaseEntrypoint", ({ zoneId }) => {
  const named = (ref: string, expression: string) => ({ ...block(ref, expression), ref });
  return [
    { inputs: { zoneId, phase, rules: [a] }, expect: "create" },
    { inputs: { zoneId, phase, rules: [named("constructor", "not ssl"), a] }, expect: "update" },
    {
      inputs: { zoneId, phase, rules: [named("toString", "true"), named("constructor", "true"), a] },
      expect: "update",
    },
    { inputs: { zoneId, phase, rules: [a] }, expect: "update" },
  ];
});

lifecycle("changes without effect are no difference", "PhaseEntrypoint", ({ zoneId }) => [
  { inputs: { zoneId, phase, rules: [a] }, expect: "create" },
  {
    inputs: { zoneId, phase, rules: [{ ...a, enabled: true, actionParameters: {}, wire: {} }], description: "" },
    expect: "none",
    requests: [],
  },
]);

const byLevel = everyAction.map((sample) => [sample.phase, sample] as const);
describe.each(byLevel)("every action of %s", (samplePhase, { rules, level }) => {
  lifecycle(
    "applies, and is stable",
    "PhaseEntrypoint",
    ({ zoneId, accountId }) => {
      const scope = level === "zones" ? { zoneId } : { accountId };
      return [
        { inputs: { ...scope, phase: samplePhase, rules }, expect: "create" },
        {
          inputs: { ...scope, phase: samplePhase, rules: rules.toReversed() },
          expect: rules.length > 1 ? "update" : "none",
        },
        {
          inputs: {
            ...scope,
            phase: samplePhase,
            rules: rules.map((rule) => ({ ...rule, description: "Now described" })),
          },
          expect: "update",
        },
      ];
    },
    sampleSeed,
  );
});
