// Starts the benchmark's emulator, and reads its zones and the requests it has received.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const TOKEN = "bench-token-0123456789";

export async function startService(count) {
  const child = fork(fileURLToPath(new URL("emulator.mjs", import.meta.url)), [String(count)]);
  const [{ url }] = await once(child, "message");
  const control = url.replace("/client/v4", "/__emulator/requests");
  return {
    url,
    zones: await zonesAt(url),
    forget: () => fetch(control, { method: "DELETE" }),
    requests: async () => (await fetch(control)).json(),
    close: () => child.disconnect(),
  };
}

async function zonesAt(url) {
  const zones = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${url}/zones?per_page=50&page=${String(page)}`, { headers });
    const { result, result_info: info } = await answer.json();
    zones.push(...result.map(({ id }) => id));
    last = info.total_pages;
  }
  return zones;
}

/** Counts the requests of each form: `40 GET /zones/:id/rulesets`. */
export function formsOf(requests) {
  const counts = new Map();
  for (const { method, path } of requests) {
    const form = `${method} ${path.replace(/[0-9a-f]{32}/g, ":id").replace(/\?.*/, "")}`;
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return [...counts].map(([form, count]) => `${String(count)} ${form}`);
}
