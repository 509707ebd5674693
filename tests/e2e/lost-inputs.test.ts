import { EngineStack, type Library, type Outcome } from "./support/stack.js";

/* A state whose inputs lack something, as after an edit of an export. `up` stops, and what its message says leads on. */

interface Exported {
  readonly deployment: { readonly resources: { readonly type: string; readonly inputs?: Record<string, unknown> }[] };
}

/** An export without an input that the resource needs. */
function withoutInput(text: string): string {
  const exported = JSON.parse(text) as Exported;
  for (const { type, inputs } of exported.deployment.resources) {
    if (/rulesets:.*PhaseEntrypoint$/.test(type)) delete inputs?.rules;
    if (/rulesets:.*RulesList$/.test(type)) delete inputs?.accountId;
  }
  return JSON.stringify(exported);
}

interface Args {
  readonly zoneId: string;
  readonly accountId: string;
}

const program = ({ PhaseEntrypoint, RulesList }: Library, { zoneId, accountId }: Args) => {
  const rules = [{ ref: "admin", action: "block", expression: "ssl" } as const];
  new PhaseEntrypoint("whole", { zoneId, phase: "http_request_firewall_custom", rules });
  const list = {
    ref: "admin",
    action: "route",
    expression: "ssl",
    actionParameters: { hostHeader: "a.example" },
  } as const;
  new PhaseEntrypoint("shared", { zoneId, phase: "http_request_origin", ownership: "shared", rules: [list] });
  new RulesList("office", { accountId, name: "office", kind: "ip", items: ["192.0.2.1"] });
};

const DELETE = /the inputs in the state lack rules, .* or `pulumi state delete '([^']+whole)'` and then `pulumi up`/;

test("a refresh reads lost inputs again, or says what to do", async () => {
  const stack = await EngineStack.start();
  try {
    const args = { zoneId: await stack.service.zone(), accountId: await stack.service.account() };
    const up = (): Promise<Outcome> => stack.up(program, args);
    expect((await up()).ok).toBe(true);
    await stack.rewriteState(withoutInput);
    expect((await up()).text).toContain("is missing or invalid. To continue: run `pulumi refresh`");
    const refreshed = await stack.refresh();
    expect(refreshed.ok).toBe(false);
    // A whole ruleset that has not changed at the service is not read again; the rest is.
    expect(refreshed.text).toMatch(DELETE);
    expect(refreshed.text).not.toMatch(/the inputs in the state lack (?!rules)|the refresh succeeded/);
    const [, urn = ""] = DELETE.exec(refreshed.text) ?? [];
    await stack.command("state", "delete", urn, "--yes");
    const after = await up();
    expect([after.text, after.ok]).toEqual([after.text, true]);
    expect(after.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  } finally {
    await stack.close();
  }
});
