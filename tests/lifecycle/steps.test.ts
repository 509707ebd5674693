import { everyAction, sampleSeed } from "../support/every-action.js";
import { block } from "../support/rules.js";
import { lifecycle } from "./harness.js";

const phase = "http_request_firewall_custom";
const a = block("A", "ssl");
const b = block("B", "not ssl");
const c = block("C", "ip.src eq 192.0.2.1");
const LIST = "GET /rulesets";
const GET = `GET /rulesets/phases/${phase}/entrypoint`;
const PUT = "PUT /rulesets/<id>";

lifecycle("an entry point from birth to death", "PhaseEntrypoint", ({ zoneId }) => {
  const rules = (...list: object[]) => ({ zoneId, phase, rules: list });
  return [
    { inputs: rules(a), expect: "create", requests: [LIST, "POST /rulesets"] },
    { inputs: rules(a, b), expect: "update", requests: [GET, PUT] },
    { inputs: rules(b, a), expect: "update", requests: [GET, PUT] },
    { inputs: rules(b, { ...a, expression: "true" }), expect: "update", requests: [GET, PUT] },
    { inputs: { ...rules(b), description: "Ours" }, expect: "update", requests: [GET, PUT] },
    {
      inputs: { ...rules(b), description: "Ours", name: "edge" },
      expect: "update",
      requests: [GET, `PUT /rulesets/phases/${phase}/entrypoint`],
    },
    { inputs: rules(), expect: "update", requests: [GET, PUT] },
    { inputs: { ...rules(c), phase: "http_request_firewall_custom" }, expect: "update" },
    { inputs: { ...rules(), phase: "http_ratelimit" }, expect: "replace" },
  ];
});

lifecycle(
  "steering arguments are no difference, and onDelete is kept without a request",
  "PhaseEntrypoint",
  ({ zoneId }) => [
    { inputs: { zoneId, phase, rules: [a] }, expect: "create" },
    { inputs: { zoneId, phase, rules: [a], onExisting: "adopt" }, expect: "none", requests: [] },
    { inputs: { zoneId, phase, rules: [a], onConflict: "overwrite" }, expect: "none", requests: [] },
    { inputs: { zoneId, phase, rules: [a], onDelete: "delete" }, expect: "update", requests: [] },
    { inputs: { zoneId, phase, rules: [a] }, expect: "update", requests: [] },
  ],
);

lifecycle("a custom ruleset from birth to death", "Ruleset", ({ zoneId }) => {
  const ruleset = (name: string, ...rules: object[]) => ({ zoneId, kind: "custom", name, phase, rules });
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

lifecycle("an entry point as a Ruleset", "Ruleset", ({ zoneId }) => [
  { inputs: { zoneId, kind: "zone", name: "edge", phase, rules: [a] }, expect: "create" },
  { inputs: { zoneId, kind: "zone", name: "other", phase, rules: [a] }, expect: "update" },
  { inputs: { zoneId, kind: "zone", name: "other", phase: "http_ratelimit" }, expect: "replace" },
]);

lifecycle("refs that every object inherits are refs like any other", "PhaseEntrypoint", ({ zoneId }) => {
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

lifecycle("what means nothing is no difference", "PhaseEntrypoint", ({ zoneId }) => [
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
    "applies, and comes to rest",
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
