import { KINDS } from "../../provider/kinds/index.js";
import { check } from "../../provider/kinds/rulesets/check/check.js";
import type { RulesetInputs } from "../../provider/kinds/rulesets/description.js";
import type { RulesetRule } from "../../core/model/generated/rule.js";
import type { JsonObject } from "../../core/model/json.js";
import type { Pending } from "../../core/model/unknown.js";
import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { startService } from "./harness.js";
import { Run, type Props } from "./run.js";

const phase = "http_request_firewall_custom";
const urn = "urn:test";

/** Counts how often the canonical content of a rule is made: once as written, and once in its normal form. */
class Canonical {
  count = 0;

  /** The same rule, whose expression is counted where a content is made of it. */
  watch<T extends object>(rule: T): T {
    const { expression, ...rest } = rule as T & { readonly expression: string };
    return Object.defineProperty(rest, "expression", {
      enumerable: true,
      get: () => {
        if ((new Error().stack ?? "").includes("contentOf")) this.count += 1;
        return expression;
      },
    }) as unknown as T;
  }

  /** Watches every rule in inputs or a state. */
  watchAll<T extends Props>(props: T): T {
    const rules = Object.entries(props.rules as Record<string, RulesetRule>);
    return { ...props, rules: Object.fromEntries(rules.map(([ref, rule]) => [ref, this.watch(rule)])) };
  }

  /** The counts of a call. */
  async of<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
    const before = this.count;
    const result = await work();
    return [result, this.count - before];
  }
}

describe("the canonical forms of a rule", () => {
  let service: Service;
  let zoneId: string;
  let run: Run;
  const kind = KINDS.PhaseEntrypoint();
  beforeEach(async () => {
    ({ service, zoneId } = await startService());
    run = new Run(service.emulator.url, {});
  });
  const args = (...rules: object[]): Props => ({ zoneId, phase, rules });
  const inputsOf = async (olds: Props, args: Props): Promise<Props> =>
    (await kind.check(run.session, olds, { urn, run: { preview: false }, args: args as JsonObject })).inputs as Props;

  it("are made once in a check of a new resource, of what the program wants", async () => {
    const canonical = new Canonical();
    const rules = [canonical.watch(block("A", "ssl"))];
    const request = { session: run.session, args: args(...rules) as JsonObject, urn, preview: true };
    const wanted = { zoneId, phase, rules };
    const [, count] = await canonical.of(() =>
      Promise.resolve(check({ ...request, wanted, olds: undefined, ignored: [], keptInputs: [], secretPaths: [] }, [])),
    );
    expect(count).toBeLessThanOrEqual(2);
  });

  it("are made once in a check of a change, of what was wanted and of what is wanted now", async () => {
    const old = await inputsOf({}, args(block("A", "ssl")));
    const canonical = new Canonical();
    const olds = canonical.watchAll(old) as Pending<RulesetInputs>;
    const rules = [canonical.watch(block("A", "not ssl"))];
    const request = { session: run.session, args: args(...rules) as JsonObject, urn, preview: true };
    const wanted = { zoneId, phase, rules };
    const [, count] = await canonical.of(() =>
      Promise.resolve(check({ ...request, wanted, olds, ignored: [], keptInputs: [], secretPaths: [] }, [])),
    );
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(4);
  });

  it("are not made in a preview of rules with refs that did not change", async () => {
    const declared = () => [
      { ...block("A", "ssl"), ref: "a" },
      { ...block("B", "not ssl"), ref: "b" },
    ];
    const first = await inputsOf({}, args(...declared()));
    const { id, state } = await kind.create(run.session, first);
    run = new Run(service.emulator.url, {});
    const canonical = new Canonical();
    const rules = declared().map((rule) => canonical.watch(rule));
    const request = { session: run.session, args: args(...rules) as JsonObject, urn, preview: true };
    const olds = canonical.watchAll(first) as Pending<RulesetInputs>;
    const wanted = { zoneId, phase, rules };
    const [{ inputs }, inCheck] = await canonical.of(() =>
      Promise.resolve(check({ ...request, wanted, olds, ignored: [], keptInputs: [], secretPaths: [] }, [])),
    );
    const [change, inDiff] = await canonical.of(() =>
      kind.diff(run.session, id, canonical.watchAll(state as Props), canonical.watchAll(inputs as Props)),
    );
    expect([change.kind, inCheck, inDiff]).toEqual(["none", 0, 0]);
  });

  it("are made once in a diff and once in the update that follows, of the state and of the inputs", async () => {
    const first = await inputsOf({}, args(block("A", "ssl")));
    const { id, state } = await kind.create(run.session, first);
    run = new Run(service.emulator.url, {});
    const news = await inputsOf(first, args(block("A", "not ssl")));
    const canonical = new Canonical();
    const [change, inDiff] = await canonical.of(() =>
      kind.diff(run.session, id, canonical.watchAll(state as Props), canonical.watchAll(news)),
    );
    expect(change.kind).toBe("update");
    expect(inDiff).toBeGreaterThan(0);
    expect(inDiff).toBeLessThanOrEqual(4);
    const [after, inUpdate] = await canonical.of(() =>
      kind.update(run.session, id, canonical.watchAll(state as Props), canonical.watchAll(news)),
    );
    expect(after).toMatchObject({ version: "2" });
    expect(inUpdate).toBeLessThanOrEqual(4);
  });

  it("are made once in a create, of the inputs", async () => {
    const inputs = await inputsOf({}, args(block("A", "ssl")));
    const canonical = new Canonical();
    const [, count] = await canonical.of(() => kind.create(run.session, canonical.watchAll(inputs)));
    expect(count).toBeLessThanOrEqual(2);
  });
});
