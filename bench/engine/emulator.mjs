// The service of the benchmark, in a process of its own, so that its time is nobody else's. `fork`ed with the number of
// zones; tells its address and ends when its parent does.
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
