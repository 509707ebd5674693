import { startEmulator, type Emulator, type EmulatorOptions, type Seed } from "../../emulator/index.js";
import { whenDone } from "./cleanup.js";
import { Service } from "./emulator.js";

/** Unused emulators of this file: resetting one takes a thirtieth of the time that starting another takes. */
const idle: Emulator[] = [];
const stopped = new Set<Service["emulator"]>();
afterAll(() => Promise.all(idle.map((emulator) => emulator.close())));

/** An emulator with only the seed in it, for one test, or for all of a file if started before them. */
export async function freshEmulator({ seed }: { readonly seed?: Seed } = {}): Promise<Emulator> {
  const emulator = idle.pop() ?? (await startEmulator());
  await new Service(emulator).reset(seed);
  whenDone(() => stopped.has(emulator) || idle.push(emulator));
  return emulator;
}

/** Stops a fresh emulator, so that nothing listens at its address any more. */
export async function stopEmulator({ emulator }: Service): Promise<void> {
  stopped.add(emulator);
  await emulator.close?.();
}

/** An emulator of its own with any options, which closes like a fresh one. */
export async function emulatorWith(options?: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(options);
  whenDone(() => emulator.close());
  return emulator;
}
