import { methodsOf, writesIn } from "../support/requests.js";
import { visit } from "../support/visit.js";
import type { RuleStage } from "../../provider/index.js";
import { EngineStack, type Library } from "./support/stack.js";

const HOST = "shop.example.com";
const phase = "http_request_firewall_custom";
const XMLRPC = 'http.request.uri.path eq "/xmlrpc.php"';

interface Args {
  readonly zoneId: string;
  readonly stage: RuleStage;
}

const dynamic = ({ PhaseEntrypoint, stages, until }: Library, { zoneId, stage }: Args) => {
  const rule = { ref: "no-xmlrpc", action: "block", expression: 'http.request.uri.path eq "/xmlrpc.php"' } as const;
  const sale = { ref: "sale", action: "block", expression: 'http.request.uri.path eq "/sale"' } as const;
  const rules = [stages(rule, stage), until(sale, "2020-12-31")];
  new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules });
};

interface LongArgs {
  readonly zoneId: string;
  /** Of the list to which the members of the rule move. */
  readonly accountId?: string;
}
/** A rule that is too long for one, or its members in a list. */
const long = (
  { PhaseEntrypoint, RulesList, expression, inParts, pulumi }: Library,
  { zoneId, accountId }: LongArgs,
) => {
  const items = Array.from({ length: 600 }, (__, i) => `198.51.${String(100 + (i >> 8))}.${String(i & 255)}`);
  const members =
    accountId === undefined
      ? expression`ip.src in ${items}`
      : expression`ip.src in $${new RulesList("bad", { accountId, name: "bad", kind: "ip", items }).name}`;
  const bad = { ref: "bad", action: "block", expression: members } as const;
  const other = { ref: "other", action: "block", expression: "ssl" } as const;
  const rules = pulumi.all([accountId === undefined ? inParts(bad) : [bad], [other]]).apply((all) => all.flat());
  new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules });
};

describe("rules that arrive in steps and leave by themselves", () => {
  const program = dynamic;
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start({ seed: { zones: [{ name: HOST }] }, edge: {} });
    zoneId = await stack.service.zoneNamed(HOST);
  });
  afterEach(() => stack.close());
  const deployed = async () => (await stack.service.entrypoint(zoneId, phase))?.rules ?? [];
  /** How many of a hundred requests are blocked. */
  const blocked = async (): Promise<number> => {
    let count = 0;
    for (let sent = 0; sent < 100; sent += 1) {
      const { status } = await visit(stack.emulator.edgeUrl ?? "", `http://${HOST}/xmlrpc.php`);
      if (status === 403) count += 1;
    }
    return count;
  };

  test("one rule, with one ref and one ID, logs, stops a share of the requests, and then all; one whose time is over stops none", async () => {
    const steps = [
      ["log", undefined, 0],
      [5, "log only → 5 % of matching requests", 5],
      ["full", "5 % → all matching requests", 100],
    ] as const;
    const ids = new Set<string>();
    for (const [stage, words, expected] of steps) {
      if (words !== undefined)
        expect((await stack.preview(program, { zoneId, stage })).text).toContain(`rule "no-xmlrpc": ${words}`);
      expect(await stack.up(program, { zoneId, stage })).toMatchObject({ ok: true });
      const [rule] = await deployed();
      ids.add(`${String(rule?.ref)} ${String(rule?.id)}`);
      // The emulator draws evenly.
      expect(Math.abs((await blocked()) - expected)).toBeLessThanOrEqual(expected % 100 === 0 ? 0 : 1);
    }
    expect(ids.size).toBe(1);
    expect((await stack.up(program, { zoneId, stage: "full" })).requests).toEqual([]);
    expect((await deployed())[0]).toMatchObject({ action: "block", expression: XMLRPC });
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
    expect((await visit(stack.emulator.edgeUrl ?? "", `http://${HOST}/sale`)).status).not.toBe(403);
  });

  test("the members of a split rule move to a list, and its first part keeps its ID", async () => {
    const accountId = await stack.service.account();
    const ids = async () => Object.fromEntries((await deployed()).map(({ ref, id }) => [ref, id]));
    expect(await stack.up(long, { zoneId })).toMatchObject({ ok: true });
    const parts = await ids();
    expect(Object.keys(parts)).toEqual(["bad", "bad-part-01", "bad-part-1", "bad-part-11", "other"]);

    const args = { zoneId, accountId };
    const preview = await stack.preview(long, args);
    expect(preview.text).toContain("plan: +600 ~0 -0, 0 unchanged; sends ");
    expect(preview.text).toContain("+0 ~1 (expression) -3, 1 unchanged");
    expect(preview.text).not.toContain("lets requests through");
    const up = await stack.up(long, args);
    expect(methodsOf(writesIn(up.requests))).toEqual(["POST", "POST", "PUT"]);
    expect(await ids()).toEqual({ bad: parts.bad, other: parts.other });
    expect((await deployed())[0]?.expression).toBe("ip.src in $bad");
    expect(await stack.up(long, args)).toMatchObject({ changes: { same: 3 } });
  });
});
