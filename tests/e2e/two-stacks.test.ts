import type { Rule as RulesetRule } from "../../provider/index.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";
import { startTwoStacks } from "./support/two-stacks.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly rules: readonly RulesetRule[];
  readonly name?: string;
  readonly more?: object;
  readonly options?: object;
  readonly as?: "Ruleset";
  /** Whether to read the entry point of the other stack as well. */
  readonly reads?: boolean;
}
const program = (
  { PhaseEntrypoint, Ruleset }: Library,
  { zoneId, rules, name = "mine", more, options, as, reads }: Args,
) => {
  const where = "http_request_firewall_custom";
  const args = { zoneId, phase: where, rules: [...rules], ...more };
  if (reads === true) PhaseEntrypoint.get("theirs", `zones/${zoneId}/phases/${where}`);
  if (as === "Ruleset") new Ruleset(name, { ...args, kind: "zone", name: "default" }, options);
  else new PhaseEntrypoint(name, args, options);
};
const rules = [block("A", "ssl"), block("B", "not ssl")];

describe("two stacks that declare the same rules", () => {
  let a: EngineStack;
  let b: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    ({ a, b, zoneId } = await startTwoStacks());
  });
  afterEach(async () => {
    await a.close();
    await b.close();
  });
  const deployed = () => a.service.rules(zoneId, phase);
  const run = (more: Partial<Args> = {}): Args => ({ zoneId, rules, ...more });

  test("destroying the second leaves the first one's firewall, and its preview and destroy report this", async () => {
    await a.up(program, run());
    const before = await deployed();
    const preview = await b.preview(program, run());
    expect(preview.text).toMatch(
      /warning: takes over [0-9a-f]{32}, version 1: 2 kept[^]*to somebody else, last changed \d{4}-\d\d-\d\dT[\d:]+Z/,
    );
    expect((await b.up(program, run())).changes).toEqual({ create: 2 });
    expect((await b.up(program, run())).changes).toEqual({ same: 2 });
    expect((await b.refresh()).changes).toEqual({ same: 2 });
    const destroyed = await b.destroy();
    expect(destroyed.ok).toBe(true);
    expect(destroyed.text).toContain("was not deleted: this stack took it over because it was equal");
    expect(b.resources()).toEqual([]);
    expect(await deployed()).toEqual(before);
    expect((await a.up(program, run())).requests).toEqual([]);
    expect((await a.destroy()).ok).toBe(true);
    expect(await deployed()).toEqual([]);
  });

  test("a stack that first only reads it, and then adopts it, does not own it", async () => {
    await a.up(program, run());
    await b.up(program, run({ reads: true, name: "other", more: { onDelete: "keep" } }));
    await b.up(program, run({ reads: true, name: "mine" }));
    await b.destroy();
    expect(await deployed()).toHaveLength(2);
  });

  test("what was adopted can be claimed later without a request", async () => {
    await a.up(program, run());
    await b.up(program, run());
    const claimed = await b.up(program, run({ more: { onExisting: "adopt" } }));
    expect([claimed.changes, claimed.requests]).toEqual([{ same: 1, update: 1 }, []]);
    expect((await b.up(program, run({ more: { onExisting: "adopt" } }))).changes).toEqual({ same: 2 });
    await b.destroy();
    expect(await deployed()).toEqual([]);
  });

  test("renames, moves and replacements of what was only adopted do not pass on ownership", async () => {
    await a.up(program, run());
    await b.up(program, run());
    await b.up(program, run({ name: "renamed" }));
    await b.up(program, run({ name: "renamed", as: "Ruleset" }));
    const [resource] = b.resources();
    const replaced = await b.up(program, run({ name: "renamed", as: "Ruleset" }), { replace: [resource?.urn] });
    expect(replaced.changes).toMatchObject({ replace: 1 });
    const options = { deleteBeforeReplace: true };
    await b.up(program, run({ name: "renamed", as: "Ruleset", options }), { replace: [resource?.urn] });
    await b.destroy();
    expect(await deployed()).toHaveLength(2);
  });
});

describe("one stack passes on what it owns", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  afterEach(() => stack.close());
  const deployed = () => stack.service.rules(zoneId, phase);
  const run = (more: Partial<Args> = {}): Args => ({ zoneId, rules, ...more });

  test("but not to a resource that is renamed without aliases: a delete leaves the rules", async () => {
    await stack.up(program, run());
    const renamed = await stack.up(program, run({ name: "renamed" }));
    expect(renamed.text).toContain("somebody else, last changed");
    expect((await stack.destroy()).text).toContain('declare it with onExisting: "adopt"');
    expect(await deployed()).toHaveLength(2);
  });

  test("through renames, moves and replacements in a row, with one worker of the engine", async () => {
    await stack.up(program, run());
    const before = await deployed();
    const one = { parallel: 1 };
    const renamed = await stack.up(program, run({ name: "renamed" }), one);
    expect(renamed.text).toContain("2 kept, 0 changed, 0 dropped");
    await stack.up(program, run({ name: "renamed", as: "Ruleset" }), one);
    const urn = stack.resources()[0]?.urn ?? "";
    const as = { name: "renamed", as: "Ruleset" } as const;
    await stack.up(program, run(as), { ...one, replace: [urn] });
    await stack.up(program, run({ ...as, options: { deleteBeforeReplace: true } }), { ...one, replace: [urn] });
    await stack.command("state", "taint", urn, "--yes");
    await stack.up(program, run(as), one);
    expect(await deployed()).toEqual(before);
    expect((await stack.up(program, run(as))).changes).toEqual({ same: 2 });
    // Without `aliases` they were only taken over, so a destroy leaves them.
    expect((await stack.destroy()).ok).toBe(true);
    expect(await deployed()).toEqual(before);
  });
});
