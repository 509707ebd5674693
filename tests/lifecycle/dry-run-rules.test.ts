import type { Seed } from "../../emulator/index.js";
import type { Service } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { startService } from "./harness.js";
import { ManagedResource } from "./managed.js";

const phase = "http_request_firewall_custom";
const NOWHERE = "0".repeat(32);
const fine = { action: "block", description: "Plain", expression: "ssl" };
const refused = { action: "block", description: "Pattern", expression: 'http.host matches "^a"' };
const REASON = "expression: the service rejects it: not entitled: the use of operator Matches is not allowed";

describe("a dry run of a write of a single rule", () => {
  let service: Service;
  let zoneId: string;
  let root: string;
  const start = async (seed?: Seed): Promise<void> => {
    ({ service } = await startService(seed));
    zoneId = await service.zone("free");
    root = `/zones/${zoneId}/rulesets`;
  };
  const dry = (kind: string): ManagedResource<unknown> =>
    new ManagedResource<unknown>(kind, service, "urn:test", undefined, { dryRun: "on" });
  const ruleOf = () => dry("RulesetRule");
  const args = (rule: object, more: object = {}): object => ({ zoneId, phase, ref: "mine", ...rule, ...more });
  const theirs = { ref: "theirs", action: "log", expression: "true" };
  const entrypoint = () =>
    service.create(`zones/${zoneId}`, {
      name: "default",
      kind: "zone",
      phase,
      rules: [{ ...theirs, action: "block" }],
    });
  const there = async () =>
    (await service.entrypoint(zoneId, phase))?.rules.map(({ ref, expression }) => [ref, expression]);

  test("of a new entry point and of an added rule: refused at the argument, and nothing is stored", async () => {
    await start();
    await expect(ruleOf().preview(args(refused))).rejects.toThrow(REASON);
    expect(await there()).toBeUndefined();
    const { id } = await entrypoint();
    await service.forget();
    await expect(ruleOf().preview(args(refused))).rejects.toThrow(REASON);
    expect(writesIn(await service.requests())).toEqual([
      `DELETE ${root}/${NOWHERE}`,
      `POST ${root}/${NOWHERE}/rules`,
      `POST ${root}/${id}/rules`,
    ]);
    expect(await there()).toEqual([["theirs", "true"]]);
  });

  test("of an accepted rule reports so, and changes nothing", async () => {
    await start();
    await entrypoint();
    const { notes } = await ruleOf().preview(args(fine, { position: { before: "theirs" } }));
    expect(notes).toContainEqual(expect.stringMatching(/rule "mine" .*the service accepts the change \(dry run\)/));
    expect(await there()).toEqual([["theirs", "true"]]);
  });

  test("of a change: refused at the argument, with exactly the request of the update", async () => {
    await start();
    const { id } = await entrypoint();
    const rule = ruleOf();
    await rule.up(args(fine));
    await service.forget();
    await expect(rule.preview(args(refused))).rejects.toThrow(REASON);
    const rehearsed = writesIn(await service.requests());
    expect(rehearsed.slice(0, 2)).toEqual([`DELETE ${root}/${NOWHERE}`, `PATCH ${root}/${NOWHERE}/rules/${NOWHERE}`]);
    expect(await there()).toEqual([
      ["theirs", "true"],
      ["mine", "ssl"],
    ]);
    const changed = args({ ...fine, description: "Other words" });
    const preview = writesIn((await rule.preview(changed)).requests).at(-1);
    expect(preview).toMatch(new RegExp(`^PATCH ${root}/${id}/rules/[0-9a-f]{32}$`));
    const up = writesIn((await rule.up(changed)).requests);
    expect(up).toEqual([preview]);
  });

  test("of a shared ruleset: each added or changed rule separately, refused at its place in the list", async () => {
    await start();
    const { id } = await entrypoint();
    const list = dry("PhaseEntrypoint");
    const shared = (...rules: object[]): object => ({ zoneId, phase, ownership: "shared", rules });
    const named = (ref: string, rule: object): object => ({ ref, ...rule });
    await expect(list.preview(shared(named("a", fine), named("b", refused)))).rejects.toThrow(
      'rules[1].expression: the service rejects the rule "b"',
    );
    await list.up(shared(named("a", fine)));
    await service.forget();
    await expect(list.preview(shared(named("c", fine), named("a", refused)))).rejects.toThrow(
      'rules[1].expression: the service rejects the rule "a"',
    );
    expect(writesIn(await service.requests())).toEqual([
      `DELETE ${root}/${NOWHERE}`,
      `POST ${root}/${NOWHERE}/rules`,
      `POST ${root}/${id}/rules`,
      `PATCH ${root}/${NOWHERE}/rules/${NOWHERE}`,
      expect.stringMatching(new RegExp(`^PATCH ${root}/${id}/rules/`)),
    ]);
    const { notes } = await list.preview(shared(named("c", fine), named("a", fine)));
    expect(notes.filter((note) => note.includes("the service accepts the change"))).toHaveLength(1);
    expect(await there()).toEqual([
      ["theirs", "true"],
      ["a", "ssl"],
    ]);
  });
});
