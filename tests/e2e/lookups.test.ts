import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";

const program = (
  { pulumi, PhaseEntrypoint, block, expression, and, ...lib }: Library,
  { zoneId, phase: at }: { zoneId: string; phase: string },
) => {
  const config = new pulumi.Config();
  const zone = lib.getZoneOutput({ name: "enterprise.example.com" });
  const many = [1, 2, 3].map(() => lib.listRulesetsOutput({ zoneId: zone.id, kind: "managed" }));
  const rules = lib.listManagedRulesOutput({ zoneId, ruleset: "Cloudflare Managed Ruleset", tag: "sqli" });
  const hidden = expression`http.request.headers["x-key"][0] eq ${config.requireSecret("key")}`;
  const entrypoint = new PhaseEntrypoint("own", {
    zoneId: zone.id,
    phase: at,
    rules: [
      block({ description: "Key", expression: and(hidden, "ssl") }),
      block({ description: pulumi.secret("hidden-words"), expression: "not ssl", enabled: false }),
    ],
  });
  return {
    counts: pulumi.all(many).apply((lists) => lists.map((list) => list.length)),
    sqli: rules.apply((found) => found.map(({ description }) => description)),
    deployed: entrypoint.deployedRules.apply((all) =>
      all.map(({ action, description, enabled }) => ({ action, description, enabled })),
    ),
  };
};

describe("lookups and expressions in a program", () => {
  let stack: EngineStack;
  let args: { zoneId: string; phase: string };
  beforeAll(async () => {
    stack = await EngineStack.start({ config: { key: { value: "s3cret-qxzjvk", secret: true } } });
    args = { zoneId: await stack.service.zone(), phase };
  });
  afterAll(() => stack.close());

  test("send each request once per run, in the preview too, and keep secrets secret", async () => {
    const preview = await stack.preview(program, args);
    const asked = preview.requests.filter((request) => !request.includes("entrypoint"));
    expect(preview.ok).toBe(true);
    // The program requests the list once; the other request comes from the provider process, which checks the entry point.
    expect(asked.sort()).toEqual([
      "GET /zones",
      `GET /zones/${args.zoneId}/rulesets`,
      `GET /zones/${args.zoneId}/rulesets`,
      `GET /zones/${args.zoneId}/rulesets/efb7b8c949ac4650a09736fc376e9aee`,
    ]);
    const up = await stack.up(program, args);
    expect(up.outputs).toMatchObject({ sqli: ["SQLi - comparison"] });
    expect(new Set(up.outputs.counts as number[]).size).toBe(1);
    expect(up.outputs.deployed).toEqual([
      { action: "block", description: "Key", enabled: true },
      { action: "block", enabled: false },
    ]);
    expect((await stack.service.entrypoint(args.zoneId, phase))?.rules[0]?.expression).toBe(
      'http.request.headers["x-key"][0] eq "s3cret-qxzjvk" and ssl',
    );
    const all = [preview.text, up.text, stack.stateText(), JSON.stringify(up.outputs)].join("\n");
    expect(all).not.toContain("s3cret-qxzjvk");
    expect(all).not.toContain("hidden-words");
    const again = await stack.up(program, args);
    expect([again.changes, again.requests.length]).toEqual([{ same: 2 }, 3]);
  });

  test("stop the preview when nothing is found, and suggest similar names", async () => {
    const failed = await stack.preview(
      (lib: Library) => ({ zone: lib.getZoneOutput({ name: "enterprise.exmple.com" }) }),
      0,
    );
    expect(failed.ok).toBe(false);
    expect(failed.text).toContain('Did you mean "enterprise.example.com"?');
  });
});
