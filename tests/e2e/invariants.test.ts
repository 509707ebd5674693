import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writesIn } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

/* What must hold for every zone is judged in previews of the real engine, before anything is written. */

interface Args {
  readonly zoneId: string;
  /** The path that is closed. */
  readonly path: string;
}
const dynamic = ({ PhaseEntrypoint, block }: Library, { zoneId, path }: Args) => {
  const rules = [block({ ref: "admin", expression: `starts_with(http.request.uri.path, "${path}")` })];
  new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules });
};
const plugin = ({ pulumi }: Library, { zoneId, path }: Args) => {
  class Entrypoint extends pulumi.CustomResource {}
  const rules = [{ ref: "admin", action: "block", expression: `starts_with(http.request.uri.path, "${path}")` }];
  new Entrypoint("rulesets:index:PhaseEntrypoint", "waf", { zoneId, phase: "http_request_firewall_custom", rules });
};

describe.each([
  ["the dynamic provider", dynamic],
  ["the plugin", plugin],
] as const)("invariants in previews of %s", (name, program) => {
  const folder = mkdtempSync(join(tmpdir(), "invariants-"));
  const file = join(folder, "zones.invariants.yaml");
  let stack: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    const requests = 'starts_with(http.request.uri.path, "/admin")';
    writeFileSync(file, `invariants: [{ name: admin is closed, requests: '${requests}', must: block }]\n`);
    stack = await EngineStack.start({ seed: { zones: [{ name: "shop.example.com" }] } });
    zoneId = await stack.service.zoneNamed("shop.example.com");
  });
  afterAll(async () => {
    await stack.close();
    rmSync(folder, { recursive: true });
  });

  test("what no resource mends is an error at the end; what a change breaks stops it before anything is written", async () => {
    await stack.setConfig({ "rulesets:invariants": { value: file } });
    const open = await stack.preview(program, { zoneId, path: "/other" });
    const whole = name === "the plugin" ? "this run has seen" : "the program declares";
    expect(open.text).toMatch(/error: .*"admin is closed" is violated in shop\.example\.com:/);
    expect(open.text).toContain(`with everything that ${whole}, the invariant`);
    expect(open.text).toMatch(/ {2}GET https:\/\/shop\.example\.com\/admin from \S+: allowed/);
    // Of the plugin, the engine takes no failure at that time.
    expect(open.ok).toBe(name === "the plugin");

    expect(await stack.up(program, { zoneId, path: "/admin" })).toMatchObject({ ok: true });
    const broken = await stack.up(program, { zoneId, path: "/administration" });
    expect(broken.ok).toBe(false);
    expect(broken.text).toContain('with this change, the invariant "admin is closed" is violated in shop.example.com:');
    expect(writesIn(broken.requests)).toEqual([]);
    expect(await stack.up(program, { zoneId, path: "/a" })).toMatchObject({ ok: true });
  });
});
