import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { parse, parseAllDocuments } from "yaml";
import { toArgo } from "../../../fleet/export/argo";
import { toGithub } from "../../../fleet/export/github";
import { toGitlab, toGitlabChild } from "../../../fleet/export/gitlab";
import { toOperator } from "../../../fleet/export/operator";
import { DEFAULT_TOKEN, type FleetDefinition } from "../../../fleet/definition";
import type { ShardPlan } from "../../../fleet/plan";
import { FLEET_PLAN } from "../../support/fleet-plan";

type Schema = Record<string, unknown>;

/** Kubernetes drops unknown fields, so a test for them has to refuse them. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isOpen = !("properties" in inner) || "additionalProperties" in inner;
  return isOpen ? inner : { ...inner, additionalProperties: false };
}

function validatorOf(name: string, strict = false): (value: unknown) => unknown {
  const file = join(__dirname, "..", "..", "support", "public-schemas", `${name}.json.gz`);
  const schema = JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")) as Schema;
  const draft = typeof schema.$schema === "string" && schema.$schema.includes("2020-12") ? Ajv2020 : Ajv;
  const ajv = addFormats(new draft({ strict: false, allowUnionTypes: true }));
  const validate = ajv.compile((strict ? closed(schema) : schema) as Schema);
  return (value) => {
    validate(value);
    return validate.errors;
  };
}

const waves = [
  {
    name: "canary",
    share: { kind: "zones" as const, patterns: ["a.test"] },
    gates: [{ kind: "wait" as const, seconds: 60 }],
  },
  {
    name: "ten-percent",
    share: { kind: "percent" as const, percent: 10 },
    gates: [{ kind: "approval" as const, of: "somebody" }],
  },
  { name: "rest", share: { kind: "rest" as const }, gates: [] },
];
const definition: FleetDefinition = {
  program: "firewall",
  stacks: { prefix: "fleet-" },
  zones: {},
  shardSize: 100,
  tokens: [{ ...DEFAULT_TOKEN, variable: "TOKEN_A", accounts: ["a"] }, DEFAULT_TOKEN],
  waves,
  failures: { failed: { shards: 0 }, moved: { percent: 100 } },
};
const shard = (id: string, wave: string): ShardPlan => ({
  version: 1,
  id,
  wave,
  stack: `fleet-${id}`,
  token: "TOKEN_A",
  zones: [{ id: "1", name: "a.test", plan: "pro", accountId: "a" }],
  changes: [],
  folded: [],
  drift: false,
  errors: [],
});
const shards = [shard("s001", "canary"), shard("s002", "rest"), shard("s003", "rest")];
const plan = {
  ...FLEET_PLAN,
  ...definition,
  definition: "",
  shards: shards.map(({ id, wave }) => ({ id, wave, zones: 1, changes: 0, checksum: "" })),
};

test.each([
  ["github-workflow", "a workflow of GitHub", () => toGithub(definition)],
  ["gitlab-ci", "the parent pipeline of GitLab", () => toGitlab()],
  ["gitlab-ci", "the child pipeline of GitLab", () => toGitlabChild(plan)],
  ["argo-workflow", "a Workflow of Argo", () => toArgo(definition, "registry.example.com/firewall:1")],
])("%s accepts %s", (schema, _, write) => {
  expect(validatorOf(schema, schema === "argo-workflow")(parse(write()))).toBeNull();
});

/* What installs packages or says how far the roll-out is gets none. */
test.each([
  [
    "of GitHub",
    () => {
      const workflow = parse(toGithub(definition)) as {
        env?: object;
        jobs: Record<string, { env?: object; steps: object[] }>;
      };
      const outside = [workflow.env, ...Object.values(workflow.jobs).map(({ env }) => env)];
      expect(outside.filter((env) => env !== undefined)).toEqual([]);
      return Object.values(workflow.jobs).flatMap(({ steps }) => steps);
    },
  ],
  [
    "of Argo",
    () => {
      const argo = parse(toArgo(definition, "x")) as { spec: { templates: { script?: object }[] } };
      return argo.spec.templates.flatMap(({ script }) => script ?? []);
    },
  ],
])("only steps %s that read zones or run the engine have secrets, and these have all of them", (_, steps) => {
  const texts = steps().map((step) => JSON.stringify(step));
  const [using, others] = [true, false].map((uses) =>
    texts.filter((text) => /pulumi-rulesets fleet (plan|run-shard|gate) /.test(text) === uses),
  );
  expect(using?.length).toBeGreaterThan(2);
  for (const name of ["PULUMI_ACCESS_TOKEN", "TOKEN_A", "CLOUDFLARE_API_TOKEN"]) {
    expect(using?.filter((text) => !text.includes(name))).toEqual([]);
    expect(others?.filter((text) => text.includes(name))).toEqual([]);
  }
});

test("jobs of GitHub begin with a letter, and the gate counts failed shards", () => {
  const { jobs } = parse(toGithub(definition)) as { jobs: Record<string, object> };
  expect(Object.keys(jobs).slice(0, 4)).toEqual(["plan", "wave-canary", "gate-canary", "wave-ten-percent"]);
  expect(jobs["wave-ten-percent"]).toMatchObject({
    needs: ["plan", "gate-canary"],
    if: "${{ !cancelled() && needs.gate-canary.result == 'success' && needs.plan.outputs.wave-ten-percent != '[]' }}",
  });
});

test("no two names of an export are equal, whatever the waves are named", () => {
  const names = ["1", "wave-1", "plan", "wave-plan", "canary", "canary-gate", "gate-canary", "fetch-plan", "s001"];
  const gates = [{ kind: "approval" as const, of: "somebody" }];
  const all = names.map((name) => ({ name, share: { kind: "rest" as const }, gates }));
  const used = plan.shards
    .slice(0, 1)
    .flatMap((one) => names.map((wave, index) => ({ ...one, wave, id: `s00${String(index)}` })));
  // `parse` throws if a key is there twice.
  expect(validatorOf("github-workflow")(parse(toGithub({ ...definition, waves: all })))).toBeNull();
  const child = parse(toGitlabChild({ ...plan, waves: all, shards: used })) as { stages: string[] };
  expect(validatorOf("gitlab-ci")(child)).toBeNull();
  const argo = parse(toArgo({ ...definition, waves: all }, "x")) as {
    spec: { templates: { steps?: { name: string }[][] }[] };
  };
  const steps = argo.spec.templates.flatMap((template) => template.steps ?? []).flat();
  for (const list of [child.stages, steps.map(({ name }) => name)]) expect(new Set(list).size).toBe(list.length);
});

test.each(["github-workflow", "gitlab-ci", "argo-workflow", "pulumi-stack"])("%s refuses something else", (schema) => {
  const bad = { jobs: 3, script: [{}], stages: 1, kind: "Workflow", spec: { stacks: 1 } };
  expect(validatorOf(schema, true)(bad)).not.toBeNull();
});

test("the operator's schema accepts its Stacks; a wave waits for the one before it that has any", () => {
  const text = toOperator(plan, shards, { repository: "https://github.com/a/b", branch: "main", folder: "firewall" });
  const objects = parseAllDocuments(text).map((document) => document.toJS() as { spec: { prerequisites?: unknown } });
  expect(objects.map(validatorOf("pulumi-stack", true))).toEqual([null, null, null]);
  expect(objects.map(({ spec }) => spec.prerequisites)).toEqual([
    undefined,
    [{ name: "fleet-s001" }],
    [{ name: "fleet-s001" }],
  ]);
  expect(text).toContain("# Not checked by the operator: the gate of ten-percent: approval: somebody");
  const capitals = shards.map((one) => ({ ...one, stack: `_Prod__fleet.${one.id}` }));
  const named = parseAllDocuments(toOperator(plan, capitals, { repository: "r", branch: "main", folder: "f" }));
  expect(named.map((one) => one.toJS() as unknown)).toMatchObject([
    { metadata: { name: "prod-fleet-s001" }, spec: { stack: "_Prod__fleet.s001" } },
    { metadata: { name: "prod-fleet-s002" }, spec: { prerequisites: [{ name: "prod-fleet-s001" }] } },
    {},
  ]);
  const stacks = { prefix: "fleet-", settings: "Pulumi.fleet.yaml" };
  expect(toOperator({ ...plan, stacks }, shards, { repository: "r", branch: "main", folder: "f" })).toContain(
    "# Not taken over: the settings and secrets of Pulumi.fleet.yaml",
  );
});
