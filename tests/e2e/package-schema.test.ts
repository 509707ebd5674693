import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageSchema } from "../../provider/engine/package-schema.js";
import { DESCRIPTIONS } from "../../provider/kinds/descriptions.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = join(__dirname, "..", "..");
const checkedIn = readFileSync(join(root, "schema", "pulumi-package.json"), "utf8");

async function pulumi(...args: string[]): Promise<string> {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const { stdout, stderr } = await promisify(execFile)("pulumi", args, { env, maxBuffer: 1 << 26 }).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  return stdout + stderr;
}

/** What Pulumi itself says about a schema: it binds it as its generators of SDKs do. */
async function check(schema: object): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "schema.json"), JSON.stringify(schema));
  return await pulumi("schema", "check", join(folder, "schema.json"));
}

test("Pulumi accepts the package schema of every kind of resource", async () => {
  const facts = { name: "pulumi-rulesets", version: "1.0.0", description: "Rulesets.", license: "Apache-2.0" };
  const schema = packageSchema(DESCRIPTIONS, facts);
  expect(await check(schema)).toBe("");
  expect(await check({ ...schema, types: {} })).toContain("type pulumi-rulesets:index:Rule not found");
});

test("Pulumi accepts the package schema with its settings, functions, examples and lists", async () => {
  const schema = JSON.parse(checkedIn) as object;
  expect(await check(schema)).toBe("");
});

test("the engine gets the same schema from the plugin as the one that is checked in", async () => {
  const text = await pulumi("package", "get-schema", join(root, "node_modules", ".bin", "pulumi-resource-rulesets"));
  // The engine leaves out empty lists and objects.
  const isEmpty = (value: unknown): boolean =>
    typeof value === "object" && value !== null && Object.keys(value).length === 0;
  const parse = (json: string): unknown =>
    JSON.parse(json, (_key, value: unknown) => (isEmpty(value) ? undefined : value));
  expect(parse(text.slice(text.indexOf("{")))).toEqual(parse(checkedIn));
});

test("every kind has an example in each language", () => {
  const { resources } = JSON.parse(checkedIn) as {
    readonly resources: Readonly<Record<string, { readonly description: string }>>;
  };
  for (const [name, { description }] of Object.entries(resources))
    for (const language of ["typescript", "python", "go", "csharp", "java", "yaml"])
      expect([name, description]).toEqual([name, expect.stringContaining(`\`\`\`${language}\n`)]);
});
