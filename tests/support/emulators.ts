import { startEmulator, type Emulator, type Seed } from "../../emulator/index.js";
import { Service } from "./emulator.js";

/** Emulators of this file that nobody uses: one begins anew in a thirtieth of the time that another takes to start. */
const idle: Emulator[] = [];
afterAll(async () => {
  await Promise.all(idle.map((emulator) => emulator.close()));
});

/** An emulator that holds the seed and nothing else, for one test. Closing it leaves it to the tests that follow. */
export async function freshEmulator({ seed }: { readonly seed?: Seed } = {}): Promise<Emulator> {
  const running = idle.pop() ?? (await startEmulator());
  await new Service(running).reset(seed);
  const close = (): Promise<void> => {
    idle.push(running);
    return Promise.resolve();
  };
  return { ...running, close };
}
