// The benchmark's emulator, in its own process, so that its CPU time is not counted. Takes the number of zones as its argument,
// sends its address to the parent process, and exits with it.
import { startEmulator } from "pulumi-rulesets/emulator";

const zones = Number(process.argv[2]);
const emulator = await startEmulator({
  seed: {
    zones: Array.from({ length: zones }, (_, index) => ({ name: `z${String(index)}.example.com` })),
    rateLimit: { quota: 1_000_000 },
  },
});
process.send({ url: emulator.url });
process.once("disconnect", () => void emulator.close().then(() => process.exit()));
