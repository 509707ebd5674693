import { startEmulator, type Seed } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { Managed, type Ran } from "./managed.js";

export interface ManagedStep {
  readonly args: object;
  readonly expect: Ran["action"];
  /** Methods of the requests from the check to the write, in order. */
  readonly requests: readonly string[];
  /** Members of the state after the step. */
  readonly state: object;
}

/** Tests a kind that no ruleset stands behind by steps, and after each one that it has come to rest. */
export function managedLifecycle(
  kind: string,
  seed: Seed,
  steps: (zoneId: string, service: Service) => Promise<readonly ManagedStep[]> | readonly ManagedStep[],
): void {
  test(kind, async () => {
    const emulator = await startEmulator({ seed });
    try {
      const service = new Service(emulator);
      const managed = new Managed<unknown>(kind, service);
      for (const { args, expect: action, requests, state } of await steps(await service.zone(), service)) {
        const up = await managed.up(args);
        expect([up.action, up.requests.map((request) => request.split(" ")[0])]).toEqual([action, requests]);
        expect(managed.kept?.state).toMatchObject(state);
        await managed.settled(args);
      }
    } finally {
      await emulator.close();
    }
  });
}
