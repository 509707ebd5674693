import { startEmulator, type Emulator, type Seed } from "../../emulator/index.js";
import { Service } from "./emulator.js";

/** Unused emulators of this file: resetting one takes a thirtieth of the time that starting another takes. */
const idle: Emulator[] = [];
/** The running emulator behind the one that a test uses. */
const running = new Map<Emulator, Emulator>();
// Also those that a test left running: an open port keeps the process of the tests alive.
afterAll(async () => {
  await Promise.all([...idle, ...running.values()].map((emulator) => emulator.close()));
});

/** An emulator with only the seed in it, for one test. Closing it leaves it to later tests. */
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

/** Stops the emulator of a test, so that nothing listens at its address any more. */
export async function stopEmulator(emulator: Emulator): Promise<void> {
  const started = running.get(emulator);
  running.delete(emulator);
  await (started ?? emulator).close();
}
