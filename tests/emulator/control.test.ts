import type { Emulator } from "../../emulator/index.js";
import { send } from "../support/http.js";
import { emulatorWith } from "../support/emulators.js";

describe("control routes", () => {
  let emulator: Emulator;
  const address = (path: string): string => emulator.url.replace("/client/v4", `/__emulator/${path}`);

  beforeEach(async () => {
    emulator = await emulatorWith();
  });

  test.each([
    ["a page of another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, 403],
    ["a file", { origin: "null" }, 403],
    ["a name that points to this machine", { host: "evil.example", origin: "http://evil.example" }, 403],
    ["such a name, reading", { host: "evil.example", "sec-fetch-site": "same-origin" }, 403],
    ["a page of its own address", { origin: "http://localhost:8787", host: "localhost:8787" }, 403],
    ["the address bar of a browser", { "sec-fetch-site": "none" }, 200],
    ["a program, by any name", { host: "emulator:8787" }, 200],
  ])("answer %s: %j with %i", async (_, headers, status) => {
    const answer = await send(address("clock"), "POST", { headers, body: { advanceSeconds: 0 } });
    expect(answer.status).toBe(status);
  });

  test("make no requests that others see", async () => {
    await fetch(address("clock"));
    expect(emulator.requests()).toEqual([]);
  });
});
