import { join } from "node:path";
import { parsePreview } from "../../tools/cli/summarize/preview.js";
import { summarize } from "../../tools/cli/summarize/summarize.js";
import { EngineStack, type Library } from "./support/stack.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const SECRET = "handed-over-by-Zorro-9731";

interface Args {
  readonly accountId: string;
  readonly zoneId: string;
  /** The items of the list; without them, the program is empty. */
  readonly items?: readonly string[];
  readonly kind?: "ip" | "hostname";
  readonly hasRules?: boolean;
}

const program = (
  { RulesList, PhaseEntrypoint, pulumi }: Library,
  { accountId, zoneId, items, kind = "ip", hasRules = false }: Args,
) => {
  if (items === undefined) return;
  const comment = pulumi.secret("handed-over-by-Zorro-9731");
  const given = items.map((value) => (hasRules ? { value, comment } : value));
  const list = new RulesList("office", { accountId, name: "office", kind: kind as "ip", items: given });
  if (!hasRules) return;
  const rule = { ref: "office", action: "block" as const, expression: pulumi.interpolate`ip.src in $${list.name}` };
  new PhaseEntrypoint("custom", { zoneId, phase: "http_request_firewall_custom", rules: [rule] });
};

describe("lists, on the real engine", () => {
  let stack: EngineStack;
  let args: (more?: Partial<Args>) => Args;
  beforeEach(async () => {
    stack = await EngineStack.start({ seed: { zones: [{ name: "a.example.com", plan: "enterprise" }] } });
    const [accountId, zoneId] = [await stack.service.account(), await stack.service.zone()];
    args = (more = {}) => ({ accountId, zoneId, ...more });
  });

  test("are created, changed and removed with the rule that uses them, and their secret comments are seen nowhere", async () => {
    const one = args({ hasRules: true, items: ["192.0.2.7"] });
    const preview = await stack.preview(program, one);
    expect(preview.text).not.toContain("could not check");
    expect([preview.ok, preview.requests.filter((request) => request.endsWith("/rules/lists")).length]).toEqual([
      true,
      1,
    ]);
    const up = await stack.up(program, one);
    expect(up.ok).toBe(true);
    expect(await stack.up(program, one)).toMatchObject({ ok: true, requests: [] });

    const more = args({ hasRules: true, items: ["198.51.100.0/29"] });
    const edited = await stack.preview(program, more);
    expect(edited.text).toMatch(/- 192\.0\.2\.7 *: \[secret\]/);
    expect(edited.text).toContain('"office": 8 more addresses and 1 fewer address are blocked');
    expect(edited.text).toContain("this change lets requests through that were stopped");
    const changed = await stack.up(program, more);
    expect(changed.ok).toBe(true);

    // The preview does not show the rules that stay.
    const fewer = await stack.previewJson(program, args({ hasRules: true, items: ["198.51.100.0/30"] }));
    const json = parsePreview(fewer.text, "preview.json");
    expect(json.steps.map(({ urn }) => urn).join()).not.toContain("PhaseEntrypoint");
    const summary = summarize(json);
    expect(summary.weakens).toBe("yes");
    expect(summary.resources.map(({ effect }) => effect?.witnesses[0])).toEqual([
      '"office": 4 fewer addresses are blocked',
    ]);

    const refreshed = await stack.refresh();
    expect(refreshed.changes).toEqual({ same: 3 });
    for (const text of [
      preview.text,
      up.text,
      edited.text,
      changed.text,
      fewer.text,
      refreshed.text,
      stack.stateText(),
    ])
      expect(text).not.toContain(SECRET);
    // The engine deletes what depends on the list first.
    expect((await stack.up(program, args())).ok).toBe(true);
  });

  test("follow a saved plan in which many items change", async () => {
    const folder = temporaryFolder();
    const plan = join(folder, "plan.json");
    const names = Array.from({ length: 200 }, (_, at) => `shop-${String(at)}.example.com`);
    for (const items of [names, names.slice(1)]) {
      const given = args({ kind: "hostname", items });
      expect((await stack.preview(program, given, { plan })).ok).toBe(true);
      expect((await stack.up(program, given, { plan })).ok).toBe(true);
    }
  });
});
