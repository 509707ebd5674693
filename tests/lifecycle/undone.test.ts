import type { Service, WireRule } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { failureOf } from "../support/failure.js";
import { type ManagedRuleset, startEntrypoint } from "./harness.js";
import { RulesProgram, startRulesProgram } from "./rules-program.js";

/*
 * A run writes a shared ruleset rule by rule. Somebody can undo a write before the run ends: the responses to later writes
 * show it.
 */

const phase = "http_request_firewall_custom";
const log = { action: "log", expression: 'http.host eq "k1"', description: "k1" };

/** What somebody does to the ruleset right before the next request with a method. */
class Somebody {
  constructor(
    private readonly service: Service,
    private readonly zoneId: string,
  ) {}

  async there(): Promise<readonly (WireRule & { id: string; ref: string })[]> {
    return this.service.rules(this.zoneId, phase);
  }
  async path(ref?: string): Promise<string> {
    const ruleset = await this.service.entrypoint(this.zoneId, phase);
    const id = ruleset?.rules.find((rule) => rule.ref === ref)?.id;
    return `/zones/${this.zoneId}/rulesets/${ruleset?.id ?? ""}${id === undefined ? "" : `/rules/${id}`}`;
  }
  async deletes(ref: string, before: string): Promise<void> {
    await this.service.fault({ method: before, meanwhile: [{ method: "DELETE", path: await this.path(ref) }] });
  }
  async edits(ref: string, before: string): Promise<void> {
    await this.service.fault({
      method: before,
      meanwhile: [{ method: "PATCH", path: await this.path(ref), body: log }],
    });
  }
  /** Writes the whole ruleset as it is now. */
  async restores(before: string): Promise<void> {
    const rules = (await this.there()).map(({ id, ref, action, expression, description }) => ({
      ...{ id, ref, action, expression, description },
    }));
    await this.service.fault({
      method: before,
      meanwhile: [{ method: "PUT", path: await this.path(), body: { rules } }],
    });
  }
}

describe("a list in a shared ruleset", () => {
  let service: Service;
  let zoneId: string;
  let resource: ManagedRuleset;
  let somebody: Somebody;
  const rule = (ref: string, expression = `http.host eq "${ref}"`) => ({ ...block(ref, expression), ref });
  const inputs = (...rules: object[]) => ({ zoneId, phase, ownership: "shared", rules });
  const refs = async () => (await somebody.there()).map(({ ref }) => ref);
  /** Changes k1 first, and deletes k2 last. */
  const changed = () => inputs(rule("k1", "ssl"), rule("k3"));
  beforeEach(async () => {
    ({ service, zoneId, resource } = await startEntrypoint());
    somebody = new Somebody(service, zoneId);
    await resource.up(inputs(rule("k1"), rule("k2"), rule("k3")));
  });

  /** A failed run says what happened, the next one fails too, and a refresh and an up write what is missing. */
  const recovers = async (program: object, words: RegExp): Promise<void> => {
    const text = await failureOf(resource.up(program));
    expect(text).toMatch(words);
    expect(text).toContain("To continue:");
    expect(await failureOf(resource.up(program))).toMatch(/changed by somebody else/);
    await resource.refresh();
    await resource.up(program);
    await resource.settled(program);
  };

  test("fails if its finished write was deleted before its last one", async () => {
    await somebody.deletes("k1", "DELETE");
    await recovers(changed(), /while this run wrote to the ruleset[^]*- rule k1 was deleted/);
    expect(await refs()).toEqual(["k1", "k3"]);
  });

  test("fails if its finished write was changed before its last one", async () => {
    await somebody.edits("k1", "DELETE");
    await recovers(changed(), /~ action, expression of: log "k1"[^]*keep it: add it to `rules`, at its position/);
    expect((await somebody.there()).map(({ action }) => action)).toEqual(["block", "block"]);
  });

  test("fails if an outdated write of the whole ruleset dropped a new rule before its last write", async () => {
    await somebody.restores("DELETE");
    const program = inputs(rule("k1"), rule("n1"), rule("k3"));
    await recovers(program, /- rule n1 was deleted/);
    expect(await refs()).toEqual(["k1", "n1", "k3"]);
  });

  test("fails if an outdated write of the whole ruleset dropped a new rule before a change", async () => {
    await somebody.restores("PATCH");
    await recovers(inputs(rule("k1", "ssl"), rule("n1"), rule("k2"), rule("k3")), /- rule n1 was deleted/);
  });

  test("compares again in the next run if one write was undone and another one undid a change", async () => {
    await service.fault({ method: "PATCH", path: `${await somebody.path("k1")}$` });
    const edit = { method: "PATCH", path: await somebody.path("k3"), body: log };
    await service.fault({ method: "PATCH", meanwhile: [edit, { method: "DELETE", path: await somebody.path("k1") }] });
    const program = inputs(rule("k1", "ssl"), rule("k2"), rule("k3", "not ssl"));
    expect(await failureOf(resource.up(program))).toContain("this run's write (version 5) undid that");
    expect(await failureOf(resource.up(program))).toContain("rule k1 was deleted");
    await resource.refresh();
    await resource.up(program);
    await resource.settled(program);
  });

  test("fails if a rule that it only read was deleted before its last write", async () => {
    await somebody.deletes("k3", "DELETE");
    await recovers(changed(), /- rule k3 was deleted/);
  });

  test("fails if its rules were moved before its last write", async () => {
    const path = await somebody.path("k3");
    const body = { position: { before: "" } };
    await service.fault({ method: "DELETE", meanwhile: [{ method: "PATCH", path, body }] });
    await recovers(changed(), /> rule k[13] was moved/);
    expect(await refs()).toEqual(["k1", "k3"]);
  });

  test("fails if a rule that it had deleted was created again before its last write", async () => {
    const body = { ...rule("k3"), position: { after: "" } };
    // k3 is deleted before k2, from the bottom up.
    await service.fault({ method: "DELETE", path: `${await somebody.path("k3")}$` });
    await service.fault({
      method: "DELETE",
      meanwhile: [{ method: "POST", path: `${await somebody.path()}/rules`, body }],
    });
    const text = await failureOf(resource.up(inputs(rule("k1"))));
    expect(text).toMatch(/contains a rule again that this run had deleted[^]*onExisting: "adopt"/);
    expect(await refs()).toEqual(["k1", "k3"]);
  });

  test("writes it again if overwriting was requested, and says what it overwrites", async () => {
    for (const undo of [() => somebody.deletes("k1", "DELETE"), () => somebody.edits("k1", "DELETE")]) {
      await undo();
      const { warnings } = await resource.up(changed(), { onConflict: "overwrite" });
      expect(warnings.join("\n")).toMatch(/^overwriting, as requested\.\n[^]*while this run wrote/);
      expect((await somebody.there()).map(({ ref, action, expression }) => [ref, action, expression])).toEqual([
        ["k1", "block", "ssl"],
        ["k3", "block", 'http.host eq "k3"'],
      ]);
      await resource.settled(changed());
      await resource.up(inputs(rule("k1"), rule("k2"), rule("k3")));
    }
  });

  test("says nothing if somebody changed what this run wants too, or rules of others", async () => {
    const body = { ...log, action: "block", expression: "ssl" };
    await service.fault({ method: "DELETE", meanwhile: [{ method: "PATCH", path: await somebody.path("k1"), body }] });
    await service.addRule(`zones/${zoneId}`, resource.kept?.state.rulesetId ?? "", { ...log, ref: "theirs" });
    await somebody.deletes("theirs", "DELETE");
    const { warnings } = await resource.up(changed());
    expect(warnings).toEqual([]);
  });
});

describe("single rules in a shared ruleset", () => {
  let service: Service;
  let zoneId: string;
  let program: RulesProgram;
  let somebody: Somebody;
  beforeEach(async () => {
    ({ service, zoneId, program } = await startRulesProgram());
    somebody = new Somebody(service, zoneId);
  });
  const rule = (ref: string, expression = `http.host eq "${ref}"`, more: object = {}) => ({
    ...{ zoneId, phase, ref, ...block(ref, expression) },
    ...more,
  });
  test("fail if one was deleted before another was written", async () => {
    await program.up({ k1: rule("k1"), k2: rule("k2") });
    const change = { k1: rule("k1", "ssl"), k2: rule("k2", "not ssl") };
    const path = await somebody.path("k1");
    await service.fault({ method: "PATCH", path: `${path}$` });
    await service.fault({ method: "PATCH", meanwhile: [{ method: "DELETE", path }] });
    const text = await failureOf(program.up(change));
    expect(text).toMatch(/rule "k1" in .* was changed by somebody else[^]*- rule k1 was deleted/);
    expect(text).toContain("run `pulumi refresh`");
    expect(await failureOf(program.up(change))).toContain("rule k1 was deleted");
    await program.refresh();
    await program.up(change);
    await program.settled(change);
    expect((await somebody.there()).map(({ ref }) => ref).toSorted()).toEqual(["k1", "k2"]);
  });

  test("fail if one was changed right before it was moved", async () => {
    await program.up({ k1: rule("k1"), k2: rule("k2") });
    await somebody.edits("k2", "PATCH");
    const moved = { k1: rule("k1"), k2: rule("k2", undefined, { position: { before: "k1" } }) };
    expect(await failureOf(program.up(moved))).toMatch(
      /rule "k2" in .*[^]*~ action, description, expression of: log "k1"/,
    );
    await program.refresh();
    await program.up(moved);
    await program.settled(moved);
    expect((await somebody.there()).map(({ action }) => action)).toEqual(["block", "block"]);
  });
});
