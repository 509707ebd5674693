import { failureOf } from "../support/failure.js";
import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { ManagedRuleset, startEntrypoint } from "./harness.js";

const phase = "http_request_firewall_custom";

describe("the name of a zone in messages", () => {
  let service: Service;
  let zoneId: string;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    let scope;
    ({ service, zoneId, scope, resource } = await startEntrypoint());
    const rules = [{ action: "block", description: "By hand", expression: "ssl" }];
    await service.create(scope, { name: "dashboard", kind: "zone", phase, rules });
  });

  const args = (more: object = {}) => ({ zoneId, phase, rules: [block("Mine", "true")], ...more });
  const named = (): string => `${phase} of zone enterprise.example.com (${zoneId})`;
  const unnamed = (): string => `${phase} of zone ${zoneId}`;
  const zoneReads = (requests: readonly string[]) => requests.filter((request) => request === `GET /zones/${zoneId}`);

  test("is read for a failure, once for all failures of a run", async () => {
    expect(await failureOf(resource.preview(args()))).toContain(`${named()} already exists`);
    const other = new ManagedRuleset("PhaseEntrypoint", service, "urn:other");
    other.session = resource.session;
    expect(await failureOf(other.plan(args(), true))).toContain(named());
    expect(zoneReads(await service.requests())).toHaveLength(1);
  });

  test("is read for a warning", async () => {
    await resource.up(args({ onExisting: "replace" }));
    const ruleset = await service.entrypoint(zoneId, phase);
    await service.editRule(`zones/${zoneId}`, ruleset?.id ?? "", ruleset?.rules[0]?.id ?? "", {
      action: "block",
      expression: "not ssl",
    });
    const rules = [block("Mine", 'http.host eq "a.example.com"')];
    const { warnings, requests } = await resource.preview({ zoneId, phase, rules }, { onConflict: "overwrite" });
    expect(warnings.join("\n")).toContain(named());
    expect(zoneReads(requests)).toHaveLength(1);
  });

  test("is in notes if this run has read the zone", async () => {
    await resource.up(args({ onExisting: "replace" }));
    const { notes, requests } = await resource.preview(args({ rules: [block("Mine", 'http.host matches "^a"')] }), {
      dryRun: "on",
    });
    expect(notes).toContain(`${named()}: the service accepts the change (dry run).`);
    expect(zoneReads(requests)).toHaveLength(1);
    const without = await resource.preview(args({ rules: [block("Mine", "ssl")] }), { dryRun: "on" });
    expect(without.notes).toContain(`${unnamed()}: the service accepts the change (dry run).`);
    expect(zoneReads(without.requests)).toEqual([]);
  });

  test("is left out where the credentials cannot read the zone, which is tried once in a run", async () => {
    await service.fault({ method: "GET", path: `*/zones/${zoneId}`, status: 403, body: {}, times: 9 });
    expect(await failureOf(resource.preview(args()))).toContain(`${unnamed()} already exists`);
    await failureOf(resource.plan(args(), true));
    expect(zoneReads(await service.requests())).toHaveLength(1);
  });

  test("is not asked for in a preview that sends no requests", async () => {
    const two = new ManagedRuleset("PhaseEntrypoint", service, "urn:other");
    resource.newSession({ previewChecks: "off" });
    await service.forget();
    two.session = resource.session;
    await resource.plan(args(), true);
    expect(await failureOf(two.plan(args(), true))).toContain(`zone ${zoneId}`);
    expect(await service.requests()).toEqual([]);
  });

  test("is not asked for where the service does not answer", async () => {
    await service.fault({ method: "GET", path: "*/rulesets*", status: 503, body: {}, times: 99 });
    const { warnings, requests } = await resource.preview(args());
    expect(warnings.join("\n")).toContain(`could not check what is in ${unnamed()}`);
    expect(zoneReads(requests)).toEqual([]);
  });
});
