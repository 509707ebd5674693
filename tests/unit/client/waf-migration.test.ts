import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "../../../client/index.js";

/** Records the requests, and returns the responses it is given. */
describe("the calls of the WAF migration", () => {
  let server: Server;
  let seen: { readonly url: string; readonly body: string }[];
  let result: unknown;
  beforeEach(async () => {
    seen = [];
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => (body += part.toString()));
      request.on("end", () => {
        seen.push({ url: request.url ?? "", body });
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify({ success: true, errors: [], messages: null, result }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => {
    server.close();
  });
  const client = () =>
    createClient({
      baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/client/v4`,
      credentials: { kind: "token", apiToken: "token-0123456789" },
      maxRetries: 0,
    }).wafMigration;

  test("sends a configuration back byte for byte as received, including unknown fields", async () => {
    result = {
      name: "default",
      kind: "zone",
      rules: [
        { id: "", version: "", ref: "", action: "execute", expression: "true", description: null, newer: [null, 1] },
      ],
    };
    const config = await client().config("z");
    expect(seen[0]?.url).toBe("/client/v4/zones/z/waf_migration/config?phase_two=1");
    const retrieved = JSON.stringify(result);
    const { name, rules } = result as { readonly name: string; readonly rules: unknown };
    result = {
      id: "r",
      name: "default",
      kind: "zone",
      phase: "http_request_firewall_managed",
      version: "1",
      rules: [],
    };
    await client().advance("z", "pending", config);
    await client().save("z", config);
    const entrypoint = "/client/v4/zones/z/rulesets/phases/http_request_firewall_managed/entrypoint";
    expect(seen.slice(1)).toEqual([
      { url: `${entrypoint}?waf_migration=pending&phase_two=1`, body: retrieved },
      // An ordinary update has no `kind`.
      { url: entrypoint, body: JSON.stringify({ name, rules }) },
    ]);
  });

  test("passes unknown states and fields on unchanged, and returns missing ones as empty", async () => {
    result = { migration_state: "Some New State", old_waf_status: "partly", more: 1 };
    expect(await client().status("z")).toEqual({ migrationState: "Some New State", previousWaf: "partly", newWaf: "" });
    result = { compatible: false };
    expect(await client().check("z")).toEqual({ compatible: false });
  });

  test("takes a status that says nothing for none, and not for that of a zone that has not started", async () => {
    result = { more: 1 };
    await expect(client().status("z")).rejects.toThrow("the response contains no status");
  });

  test.each([null, [], "text"])("rejects an invalid response: %j", async (wrong) => {
    result = wrong;
    await expect(client().status("z")).rejects.toThrow("the response contains no status");
    await expect(client().config("z")).rejects.toThrow("the response contains no");
  });
});
