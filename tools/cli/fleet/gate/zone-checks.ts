import type { FleetZone } from "../../../fleet/zones.js";
import { runProve } from "../../rules/prove/command.js";
import { runTests } from "../../rules/test/command.js";
import { NO_PROGRESS } from "../../progress.js";
import { readZone, type AccountReads } from "../../rules/source/index.js";
import { findZones } from "../../zones.js";
import { messageOf } from "../../../../core/model/errors.js";
import { environmentFor, type FleetContext } from "../context.js";

/** Asks a command of this package about zones, with their token. */
export type ZoneCheck = (
  zones: readonly FleetZone[],
  token: string | undefined,
  context: FleetContext,
) => Promise<{ readonly code: number; readonly text: string }>;

const PARALLEL = "8";

/** `rules prove FILES`, for what is deployed. */
export function provesIn(files: readonly string[]): ZoneCheck {
  return (zones, token, context) =>
    collect((print) =>
      runProve(
        files,
        { zone: idsOf(zones), parallel: PARALLEL },
        {
          connect: () => context.connect(environmentFor(token, context.env)),
          progress: NO_PROGRESS,
          print,
          now: context.now(),
        },
      ),
    );
}

/** `rules test FILES --trace`, in each zone. One that cannot be tested is named, and the others are tested. */
export function testsIn(files: readonly string[]): ZoneCheck {
  return async (zones, token, context) => {
    const client = context.connect(environmentFor(token, context.env));
    const found = await findZones(client, idsOf(zones), []);
    const accounts: AccountReads = new Map();
    const bad = found.failures.map(({ zone, failure }) => ({ name: zone.name, code: 3, text: failure }));
    for (const zone of found.zones) {
      const test = (print: (line: string) => void): Promise<number> =>
        runTests(
          files,
          { zone: zone.id, trace: true },
          { connect: () => client, readZone: () => readZone(client, zone, accounts), print },
        );
      const { code, text } = await collect(test).catch((error: unknown) => ({ code: 3, text: messageOf(error) }));
      if (code !== 0) bad.push({ name: zone.name, code, text });
    }
    return {
      code: bad.find(({ code }) => code === 2)?.code ?? bad[0]?.code ?? 0,
      text: bad.map(({ name, text }) => `${name}:\n${text}`).join("\n"),
    };
  };
}

/** The exit code of a command, and what it prints. */
async function collect(
  run: (print: (line: string) => void) => Promise<number>,
): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = [];
  const code = await run((line) => lines.push(line));
  return { code, text: lines.join("\n") };
}

function idsOf(zones: readonly FleetZone[]): readonly string[] {
  return zones.map(({ id }) => id);
}
