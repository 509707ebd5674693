import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePreview } from "../../cli/summarize/preview.js";
import { summarize } from "../../cli/summarize/summarize.js";
import { describeKind } from "../support/describe.js";
import { writesIn } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

interface Args {
  readonly accountId: string;
  readonly zoneId: string;
  /** What makes the rule wait for the list. */
  readonly named?: "output" | "dependsOn";
  readonly rulesFirst?: boolean;
  readonly items?: readonly string[];
  readonly kind?: "ip" | "hostname";
  readonly hasList?: boolean;
  readonly hasRules?: boolean;
  readonly name?: string;
  readonly comment?: string;
  /** Whether the program has rules that use no list. */
  readonly hasOthers?: boolean;
}

const program = (
  { RulesList, PhaseEntrypoint, pulumi }: Library,
  {
    accountId,
    zoneId,
    named = "output",
    rulesFirst = false,
    items = ["192.0.2.7"],
    kind = "ip",
    hasList = true,
    hasRules = true,
    name = "office",
    comment,
    hasOthers = false,
  }: Args,
) => {
  if (hasOthers) new PhaseEntrypoint("others", { zoneId, phase: "http_request_transform", rules: [] });
  const given = items.map((value) => (comment === undefined ? value : { value, comment: pulumi.secret(comment) }));
  const list = (dependsOn: object[] = []) =>
    new RulesList("office", { accountId, name, kind: kind as "ip", items: given }, { dependsOn: dependsOn as never });
  const rules = (expression: string | ReturnType<typeof pulumi.interpolate>, dependsOn: object[] = []) =>
    new PhaseEntrypoint(
      "custom",
      { zoneId, phase: "http_request_firewall_custom", rules: [{ ref: "office", action: "block", expression }] },
      { dependsOn: dependsOn as never },
    );
  if (!hasList) {
    if (hasRules) rules(`ip.src in $${name}`);
    return {};
  }
  if (rulesFirst) {
    // The engine creates what others depend on first.
    list([rules(`ip.src in $${name}`)]);
    return {};
  }
  const declared = list();
  if (!hasRules) return {};
  if (named === "output") rules(pulumi.interpolate`ip.src in $${declared.name}`);
  else rules(`ip.src in $${name}`, [declared]);
  return {};
};

describe("lists and the rules that use them, on the real engine", () => {
  let stack: EngineStack;
  let args: (more?: Partial<Args>) => Args;
  const folder = mkdtempSync(join(tmpdir(), "saved-plan-"));
  beforeAll(async () => {
    stack = await EngineStack.start({ seed: { zones: [{ name: "a.example.com", plan: "enterprise" }] } });
    const [accountId, zoneId] = [await stack.service.account(), await stack.service.zone()];
    args = (more = {}) => ({ accountId, zoneId, ...more });
  });
  afterAll(async () => {
    await stack.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    expect((await stack.destroy()).ok).toBe(true);
  });

  test.each(["output", "dependsOn"] as const)(
    "a list and the rule that uses it are created, changed and removed together, linked by %s",
    async (named) => {
      const preview = await stack.preview(program, args({ named }));
      expect(preview.text).not.toContain("could not check");
      expect([preview.ok, preview.requests.filter((one) => one.endsWith("/rules/lists")).length]).toEqual([true, 1]);
      expect((await stack.up(program, args({ named }))).ok).toBe(true);
      expect(await stack.up(program, args({ named }))).toMatchObject({ ok: true, requests: [] });
      const more = args({ named, items: ["192.0.2.7", "198.51.100.0/29"] });
      const edited = await stack.preview(program, more);
      expect(edited.text).toContain('"office": 8 more addresses are blocked');
      expect(edited.text).toContain("this change stops requests that were not stopped");
      expect((await stack.up(program, more)).ok).toBe(true);
      // The engine deletes what depends on the list first.
      expect((await stack.up(program, args({ hasList: false, hasRules: false }))).ok).toBe(true);
    },
  );

  test("a summary judges a changed list by rules that stay, which the preview does not show", async () => {
    const two = args({ items: ["192.0.2.7", "192.0.2.8"] });
    expect((await stack.up(program, two)).ok).toBe(true);
    const judged = async (items: readonly string[]) => {
      const preview = parsePreview((await stack.previewJson(program, args({ items }))).text, "preview.json");
      expect(preview.steps.map(({ urn }) => urn).join()).not.toContain("PhaseEntrypoint");
      return summarize(preview, describeKind);
    };
    const [fewer, more] = [await judged(["192.0.2.7"]), await judged(["192.0.2.7", "192.0.2.8", "192.0.2.9"])];
    expect([fewer.weakens, more.weakens]).toEqual(["yes", "no"]);
    expect(fewer.resources.map(({ effect }) => effect?.witnesses[0])).toEqual(['"office": 1 fewer address is blocked']);
    expect(more.resources.flatMap(({ effect }) => effect?.notJudged)).toEqual([]);
  });

  test("a rule that names a list which the program does not declare is refused at preview", async () => {
    const { ok, text } = await stack.preview(program, args({ hasList: false, name: "offce" }));
    expect(ok).toBe(false);
    expect(text).toContain("rules[0].expression:11: there is no list $offce in the account");
  });

  test("rules that are checked before their list are refused with what makes them wait for it", async () => {
    const preview = await stack.preview(program, args({ rulesFirst: true }));
    expect(preview.ok).toBe(false);
    expect(preview.text).toContain("there is no list $office in the account");
    expect(preview.text).toContain("or add `dependsOn: [list]`");
    const up = await stack.up(program, args({ rulesFirst: true }));
    expect(up.ok).toBe(false);
    expect(up.text).toContain("If it names a list of this program, let the rules wait for it");
  });

  test("a preview of many items shows those that change", async () => {
    const many = Array.from({ length: 1000 }, (_, at) => `10.0.${String(at >> 8)}.${String(at & 255)}`);
    expect((await stack.up(program, args({ items: many, hasRules: false }))).ok).toBe(true);
    const { text } = await stack.preview(program, args({ items: many.slice(1), hasRules: false }));
    expect(text).toContain("plan: +0 ~0 -1, 999 unchanged; sends ");
    expect(text).not.toContain("10.0.0.9");
  });

  test("refreshes of many items find what others changed, and lose nothing while the service is gone", async () => {
    const items = Array.from(
      { length: 200 },
      (_, at) => `${createHash("sha256").update(String(at)).digest("hex").slice(0, 60)}.com`,
    );
    const given = args({ items, kind: "hostname", hasRules: false });
    const listRoot = `/accounts/${given.accountId}/rules/lists`;
    const atService = async (): Promise<{ id: string; hostname: { url_hostname: string } }[]> => {
      const [office] = await stack.service.ask<{ id: string }[]>("GET", listRoot);
      return stack.service.ask("GET", `${listRoot}/${office?.id ?? ""}/items?per_page=500`);
    };
    expect((await stack.up(program, given)).ok).toBe(true);
    const { inputs, outputs } = stack.resources().find(({ type }) => type.endsWith("RulesList")) ?? {};
    // Nothing listens there.
    stack.setEnv({ RULESETS_BASE_URL: "http://127.0.0.1:9" });
    const gone = await stack.refresh();
    expect(gone).toMatchObject({ ok: false, text: expect.stringContaining("127.0.0.1:9") as string });
    stack.setEnv({ RULESETS_BASE_URL: undefined });
    expect(stack.resources().find(({ type }) => type.endsWith("RulesList"))).toMatchObject({ inputs, outputs });
    expect(await stack.refresh()).toMatchObject({ ok: true, changes: { same: 2 } });
    expect(await stack.up(program, given)).toMatchObject({ ok: true, requests: [] });
    const [first] = await atService();
    const [{ id: listId } = { id: "" }] = await stack.service.ask<{ id: string }[]>("GET", listRoot);
    await stack.service.ask("DELETE", `${listRoot}/${listId}/items`, { items: [{ id: first?.id }] });
    const refreshed = await stack.refresh();
    expect(refreshed.text).toContain(`-${first?.hostname.url_hostname ?? "none"}`);
    const { text } = await stack.preview(program, given);
    expect(text).toContain(`+ ${first?.hostname.url_hostname ?? "none"}`);
    expect((await stack.up(program, given)).ok).toBe(true);
    expect((await atService()).map(({ hostname }) => hostname.url_hostname).sort()).toEqual(items.toSorted());
    expect(await stack.up(program, given)).toMatchObject({ ok: true, requests: [] });
  });

  test("an up follows a saved plan in which many items change", async () => {
    const plan = join(folder, "plan.json");
    const names = Array.from({ length: 200 }, (_, at) => `shop-${String(at)}.example.com`);
    for (const items of [names.slice(1, 3), names, names.slice(1)]) {
      const given = args({ kind: "hostname", hasRules: false, items });
      expect((await stack.preview(program, given, { plan })).ok).toBe(true);
      expect((await stack.up(program, given, { plan })).ok).toBe(true);
    }
  });

  test("a list that is removed while a rule uses it is named with the rule in the up", async () => {
    expect((await stack.up(program, args({ named: "dependsOn" }))).ok).toBe(true);
    const up = await stack.up(program, args({ hasList: false }));
    expect(up.ok).toBe(false);
    expect(up.text).toContain("the list office cannot be deleted: 1 ruleset uses it:");
    expect(writesIn(up.requests)).toEqual([]);
    // Nothing in the state says that the rule goes first, so that this may leave the list.
    await stack.destroy();
  });

  test("a run that is killed in the middle of its writes is completed by the next one, and no item is there twice", async () => {
    const root = `/accounts/${args().accountId}/rules/lists`;
    const finish = async (held: string, items: readonly string[]): Promise<void> => {
      const given = args({ items, hasRules: false });
      await stack.service.fault({ method: "POST", path: held, hold: true });
      // How much more the provider sends until it notices differs.
      expect((await stack.killDuring(stack.up(program, given))).ok).toBe(false);
      await stack.command("cancel", "--yes");
      expect((await stack.up(program, given)).ok).toBe(true);
      const lists = await stack.service.ask<{ id: string }[]>("GET", root);
      const stored = await stack.service.ask<{ ip: string }[]>("GET", `${root}/${lists[0]?.id ?? ""}/items`);
      expect([lists.length, stored.map(({ ip }) => ip).sort()]).toEqual([1, items]);
      expect(await stack.up(program, given)).toMatchObject({ ok: true, requests: [] });
    };
    await finish(root, ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"]);
    await finish("*/items", ["192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"]);
  });

  test("secret comments of items are in no output, log and state", async () => {
    const secret = "handed-over-by-Zorro-9731";
    const outcomes = [
      await stack.preview(program, args({ comment: secret })),
      await stack.up(program, args({ comment: secret })),
      await stack.preview(program, args({ comment: secret, items: ["192.0.2.8"] })),
      await stack.up(program, args({ comment: secret, items: ["192.0.2.8", "192.0.2.300"] })),
      await stack.refresh(),
    ];
    // The last address is none.
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, false, true]);
    expect(outcomes[2]?.text).toMatch(/- 192\.0\.2\.7: \[secret\]/);
    expect(outcomes.map(({ text }) => text).join("\n")).not.toContain(secret);
    expect(stack.stateText()).not.toContain(secret);
  });
});
