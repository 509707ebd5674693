import type { Rule as RulesetRule } from "../../provider/index.js";
import { writesIn } from "../support/requests.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly name?: string;
  readonly rules?: readonly RulesetRule[];
  readonly more?: object;
  /** Whether it is a Ruleset in a component. */
  readonly isElsewhere?: boolean;
  readonly options?: object;
}
const program = (
  { PhaseEntrypoint, Ruleset, pulumi }: Library,
  { zoneId, name = "mine", rules, more, isElsewhere, options }: Args,
) => {
  if (rules === undefined) return;
  const args = { zoneId, phase: "http_request_firewall_custom", rules: [...rules], ...more };
  if (isElsewhere === true) {
    const parent = new pulumi.ComponentResource("test:index:Group", "group");
    new Ruleset(name, { ...args, kind: "zone", name: "default" }, { parent, ...options });
  } else new PhaseEntrypoint(name, args, options);
};
const rules = [block("A", "ssl"), block("B", "not ssl")];

describe("no rule is lost by accident", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  const deployed = () => stack.service.rules(zoneId, phase);

  test("an entry point changes with its name by an alias, and keeps rules and IDs where it is adopted by another type in a component", async () => {
    await stack.up(program, { zoneId, rules });
    const first = await deployed();
    const more = [...rules, block("C", "true")];
    const renamed = { zoneId, name: "renamed", rules: more, options: { aliases: [{ name: "mine" }] } };
    expect((await stack.up(program, renamed)).changes).toEqual({ same: 1, update: 1 });
    const before = await deployed();
    expect(before.slice(0, 2)).toEqual(first);
    const moved = { zoneId, name: "moved", rules: more, isElsewhere: true, more: { onExisting: "adopt" } };
    const up = await stack.up(program, moved);
    expect([up.ok, writesIn(up.requests)]).toEqual([true, []]);
    expect(up.text).toMatch(/was not deleted: .* manages it now\. No request was sent\./);
    expect(await deployed()).toEqual(before);
    expect(stack.resources()).toHaveLength(1);
    expect((await stack.destroy()).ok).toBe(true);
    expect(await deployed()).toEqual([]);
  });

  test("up --refresh reports that the refresh succeeded and the change after it was stopped; a delete, how many rules stop working", async () => {
    await stack.up(program, { zoneId, rules: [...rules, { ...block("Off", "true"), enabled: false }] });
    const gone = await stack.preview(program, { zoneId });
    expect([gone.changes, gone.requests]).toEqual([{ same: 1, delete: 1 }, []]);
    expect(gone.text).toMatch(/rulesInForce *: 2/);

    const night = { action: "block", expression: "ip.src eq 203.0.113.9", description: "3am" };
    await stack.service.addRule(`zones/${zoneId}`, (await stack.service.entrypoint(zoneId, phase))?.id ?? "", night);
    const conflict = await stack.up(program, { zoneId, rules }, { refresh: true });
    expect(conflict.ok).toBe(false);
    // The engine labels the row like this, whatever failed after the refresh.
    expect(conflict.text).toContain("refreshing failed");
    expect(conflict.text).toMatch(
      /error: the refresh succeeded; the change after it was stopped: http_request_firewall_custom of zone/,
    );
    expect(await deployed()).toHaveLength(4);
  });
});
