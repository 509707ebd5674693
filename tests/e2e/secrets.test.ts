import { EngineStack, type Library } from "./support/stack.js";

const SECRET = "hunter2-very-secret";
interface Args {
  readonly zoneId: string;
  readonly secret: string;
  readonly more?: boolean;
}
const program = ({ PhaseEntrypoint, pulumi }: Library, { zoneId, secret, more }: Args) => {
  const header = pulumi.secret(secret);
  const expression = pulumi.interpolate`http.request.headers["x-key"][0] eq "${header}"`;
  const entrypoint = new PhaseEntrypoint("transform", {
    zoneId,
    phase: "http_request_late_transform",
    rules: [
      {
        action: "rewrite",
        expression: "true",
        description: "Key",
        actionParameters: { headers: { "X-Key": { operation: "set", value: header } } },
      },
      {
        action: "rewrite",
        expression,
        description: more === true ? "Edited" : "Match",
        actionParameters: { headers: { "X-Open": { operation: "set", value: "open-text" } } },
      },
      ...(more === true
        ? [
            {
              action: "rewrite" as const,
              expression: "ssl",
              actionParameters: { headers: { "X-More": { operation: "remove" } } },
            },
          ]
        : []),
    ],
  });
  return { deployed: entrypoint.deployedRules, ids: entrypoint.ruleIds };
};

describe("a secret in a rule", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  afterAll(() => stack.close());

  test("masks only that value in a preview, and leaves no trace in refs", async () => {
    const preview = await stack.preview(program, { zoneId, secret: SECRET });
    expect(preview.ok).toBe(true);
    expect(preview.text).toContain("value    : [secret]");
    expect(preview.text).toContain("expression      : [secret]");
    for (const open of ["open-text", "X-Key", "Match", "rewrite"]) expect(preview.text).toContain(open);
    expect(preview.text).not.toContain(SECRET);
    const refs = /order +: "(.*)"/.exec(preview.text)?.[1];
    expect(refs).toMatch(/^key-[0-9a-f]{4}\\nmatch-[0-9a-f]{4}\\n$/);
  });

  test("reaches the service, is encrypted in the state at any depth, and a second run changes nothing", async () => {
    const up = await stack.up(program, { zoneId, secret: SECRET });
    expect(up.ok).toBe(true);
    expect(JSON.stringify((await stack.service.entrypoint(zoneId, "http_request_late_transform"))?.rules)).toContain(
      SECRET,
    );
    expect(stack.stateText()).not.toContain(SECRET);
    expect(stack.stateText()).not.toContain(Buffer.from(SECRET).toString("base64").slice(0, 12));
    expect((await stack.up(program, { zoneId, secret: SECRET })).requests).toEqual([]);
    expect(up.outputs.deployed).toHaveLength(2);
  });

  test("stays encrypted through change and drift", async () => {
    await stack.up(program, { zoneId, secret: SECRET, more: true });
    const there = await stack.service.entrypoint(zoneId, "http_request_late_transform");
    await stack.service.editRule(`zones/${zoneId}`, there?.id ?? "", there?.rules[1]?.id ?? "", {
      action: "rewrite",
      expression: `http.host eq "${SECRET}"`,
      description: "Edited",
      action_parameters: { headers: { "X-Open": { operation: "remove" } } },
    });
    const refresh = await stack.refresh();
    expect(refresh.text).not.toContain(SECRET);
    expect(stack.stateText()).not.toContain(SECRET);
    const repair = await stack.up(program, { zoneId, secret: SECRET, more: true });
    expect(repair.text).not.toContain(SECRET);
    expect(JSON.stringify((await stack.service.entrypoint(zoneId, "http_request_late_transform"))?.rules)).toContain(
      "open-text",
    );
    expect(stack.stateText()).not.toContain(SECRET);
  });

  test("is in no error of the service, and the token is nowhere in plain text", async () => {
    const errors = [{ code: 20127, message: `'${SECRET}' is not valid` }];
    const body = { success: false, result: null, errors, messages: [] };
    await stack.service.fault({ method: "PUT", status: 400, body });
    const up = await stack.up(program, { zoneId, secret: `${SECRET}-2` });
    expect([up.ok, up.text]).toEqual([false, expect.not.stringContaining(SECRET)]);
    expect(stack.stateText()).not.toContain("test-token");
  });
});
