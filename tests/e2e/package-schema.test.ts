import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageSchema } from "../../provider/engine/package-schema.js";
import { DESCRIPTIONS } from "../../provider/kinds/descriptions.js";

/** What Pulumi itself says about a schema. */
async function check(schema: object): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "package-schema-"));
  try {
    writeFileSync(join(folder, "schema.json"), JSON.stringify(schema));
    const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const { stdout, stderr } = await promisify(execFile)("pulumi", ["schema", "check", join(folder, "schema.json")], {
      env,
    }).catch((error: unknown) => error as { stdout: string; stderr: string });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("Pulumi accepts the package schema of every kind of resource", async () => {
  const facts = { name: "pulumi-rulesets", version: "1.0.0", description: "Rulesets.", license: "Apache-2.0" };
  const schema = packageSchema(DESCRIPTIONS, facts);
  expect(await check(schema)).toBe("");
  expect(await check({ ...schema, types: {} })).toContain("type pulumi-rulesets:index:Rule not found");
});
