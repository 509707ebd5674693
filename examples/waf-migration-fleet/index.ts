// Migrates a wave of zones from a reviewed plan: node index.ts plan.json <wave> <zones in a wave>
//
// Every zone has its own stack, so a zone that fails or is still finishing does not hold up the others. Run the same wave again
// to complete zones that were still finishing, or after you have fixed a failure.
import { readFileSync } from "node:fs";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { ZoneWafMigration } from "pulumi-rulesets";

/** What `pulumi-rulesets migration plan --json` writes for each zone. */
interface PlannedZone {
  readonly zoneId: string;
  readonly zoneName: string;
  readonly configDigest?: string;
}

/** How many zones are migrated at the same time. */
const CONCURRENCY = 4;

async function main(file: string, wave: number, size: number): Promise<void> {
  const plan = JSON.parse(readFileSync(file, "utf8")) as readonly PlannedZone[];
  const zones = plan.filter(({ configDigest }) => configDigest !== undefined).slice((wave - 1) * size, wave * size);
  const waiting = [...zones];
  let failures = 0;
  const worker = async (): Promise<void> => {
    for (let zone = waiting.shift(); zone !== undefined; zone = waiting.shift()) {
      const { ok, text } = await migrate(zone);
      if (!ok) failures += 1;
      console.log(`${zone.zoneName}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  console.log(`wave ${String(wave)}: ${String(zones.length)} zones, ${String(failures)} failed`);
  process.exitCode = failures === 0 ? 0 : 1;
}

/** Migrates one zone in its own stack. */
async function migrate({ zoneId, zoneName, configDigest }: PlannedZone): Promise<{ ok: boolean; text: string }> {
  const program = (): Promise<Record<string, unknown>> => {
    const migration = new ZoneWafMigration(zoneName, {
      zoneId,
      mode: "pending",
      // The name in the reviewed plan. The migration is refused if the zone with this ID has another name.
      acknowledgeIrreversible: zoneName,
      // The reviewed configuration. The migration is refused if it has changed since.
      expectedConfig: configDigest,
      // Does not wait until Cloudflare has switched the zone over, which would make a wave take hours.
      wait: false,
    });
    return Promise.resolve({ phase: migration.phase });
  };
  try {
    const args = { stackName: zoneName, projectName: "waf-migration-fleet", program };
    const stack = await LocalWorkspace.createOrSelectStack(args, { workDir: process.cwd() });
    const { outputs } = await stack.up({ color: "never" });
    return { ok: true, text: String(outputs.phase?.value) };
  } catch (error) {
    return { ok: false, text: `failed. ${(error as Error).message}` };
  }
}

const [, , file = "plan.json", wave = "1", size = "20"] = process.argv;
void main(file, Number(wave), Number(size));
