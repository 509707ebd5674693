import { EngineStack, type Library } from "./support/stack.js";

const SECRET = "hunter2-very-secret";
interface Args {
  readonly zoneId: string;
  readonly secret: string;
}
const program = ({ PhaseEntrypoint, pulumi }: Library, { zoneId, secret }: Args) => {
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
        description: "Match",
        actionParameters: { headers: { "X-Open": { operation: "set", value: "open-text" } } },
      },
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
});
