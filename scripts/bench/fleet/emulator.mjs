// The benchmark's service in a process of its own: many zones, and the quota of a token, enforced on the emulator's own clock.
// Takes the number of zones as its argument, sends its address and what it cost to start, and answers any message with its memory.
import { startEmulator } from "pulumi-rulesets/emulator";

const count = Number(process.argv[2]);
const zones = Array.from({ length: count }, (_, index) => ({ name: `z${String(index)}.example.com` }));
// What an emulator needs without zones is not counted.
await (await startEmulator({ seed: { zones: zones.slice(0, 1) } })).close();
globalThis.gc();
const before = process.memoryUsage().heapUsed;
const start = performance.now();
const emulator = await startEmulator({ seed: { zones, rateLimit: { enforce: true } }, keep: { requests: 1 } });
const milliseconds = performance.now() - start;
globalThis.gc();
const bytesPerZone = (process.memoryUsage().heapUsed - before) / count;
process.send({ url: emulator.url, milliseconds, bytesPerZone });
process.on("message", () => process.send({ rss: process.memoryUsage().rss }));
process.once("disconnect", () => void emulator.close().then(() => process.exit()));
