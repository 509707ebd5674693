import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import { toGithub } from "../../../tools/fleet/export/github";
import type { FleetDefinition } from "../../../tools/fleet/definition";

const file = join(__dirname, "..", "..", "support", "public-schemas", "github-workflow.json.gz");
const ajv = addFormats(new Ajv({ strict: false, allowUnionTypes: true }));
const validate = ajv.compile(JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")) as object);
const errorsIn = (value: unknown): unknown => {
  validate(value);
  return validate.errors;
};

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
  tokens: [{ variable: "TOKEN_A", accounts: ["a"] }, {}],
  waves,
  failures: { failed: { shards: 0 }, moved: { percent: 100 } },
};

test("GitHub's schema accepts the workflow, and refuses something else", () => {
  expect(errorsIn(parse(toGithub(definition)))).toBeNull();
  expect(errorsIn({ jobs: 3 })).not.toBeNull();
});

/* What installs packages or says how far the rollout is gets none. */
test("only steps that read zones or run the engine have secrets, and these have all of them", () => {
  const workflow = parse(toGithub(definition)) as {
    env?: object;
    jobs: Record<string, { env?: object; steps: object[] }>;
  };
  const outside = [workflow.env, ...Object.values(workflow.jobs).map(({ env }) => env)];
  expect(outside.filter((env) => env !== undefined)).toEqual([]);
  const texts = Object.values(workflow.jobs).flatMap(({ steps }) => steps.map((step) => JSON.stringify(step)));
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
  // `parse` throws if a key is there twice.
  expect(errorsIn(parse(toGithub({ ...definition, waves: all })))).toBeNull();
});
