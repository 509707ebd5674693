import { startEmulator, type Emulator, type Seed } from "../../emulator/index.js";
import { Service } from "./emulator.js";

/** Emulators of this file that nobody uses: one begins anew in a thirtieth of the time that another takes to start. */
const idle: Emulator[] = [];
/** What stands behind an emulator that a test uses. */
const running = new WeakMap<Emulator, Emulator>();
afterAll(async () => {
  await Promise.all(idle.map((emulator) => emulator.close()));
});

/** An emulator that holds the seed and nothing else, for one test. Closing it leaves it to the tests that follow. */
export async function freshEmulator({ seed }: { readonly seed?: Seed } = {}): Promise<Emulator> {
  const started = idle.pop() ?? (await startEmulator());
  await new Service(started).reset(seed);
  const emulator: Emulator = {
    ...started,
    close: () => {
      if (running.delete(emulator)) idle.push(started);
      return Promise.resolve();
    },
  };
  running.set(emulator, started);
  return emulator;
}

/** Ends an emulator of a test, so that nobody answers at its address any more. */
export async function stopEmulator(emulator: Emulator): Promise<void> {
  const started = running.get(emulator);
  running.delete(emulator);
  await (started ?? emulator).close();
}
