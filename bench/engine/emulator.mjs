// The service of the benchmark in its own process, so that its time is measured separately. Forked with the number of zones;
// sends its address and exits with its parent.
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
