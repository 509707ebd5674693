import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "../../../provider/client/index.js";

/** Keeps what it is sent, and answers with what it is told. */
describe("the migration's own calls", () => {
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

  test("a configuration goes back byte for byte as it came, with everything nobody knows", async () => {
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
      // An ordinary update takes no kind.
      { url: entrypoint, body: JSON.stringify({ name, rules }) },
    ]);
  });

  test("states and fields that nobody knows are passed on as they are, and missing ones are empty", async () => {
    result = { migration_state: "Some New State", old_waf_status: "partly", more: 1 };
    expect(await client().status("z")).toEqual({ migrationState: "Some New State", previousWaf: "partly", newWaf: "" });
    result = { compatible: false };
    expect(await client().check("z")).toEqual({ compatible: false });
  });

  test.each([null, [], "text"])("an answer that is none: %j", async (wrong) => {
    result = wrong;
    await expect(client().status("z")).rejects.toThrow("the response contains no result");
    await expect(client().config("z")).rejects.toThrow("the response contains no");
  });
});
