import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { ManagedRuleset, startService } from "./harness.js";
import { ManagedResource } from "./managed.js";

/* A proxy or an outdated replica can answer a delete with 404 although the object exists. */

const phase = "http_request_firewall_custom";
const rules = [block("A", "ssl"), block("B", "not ssl")];

describe("a delete that is answered with 404 although the object exists", () => {
  let service: Service;
  let zoneId: string;
  beforeEach(async () => {
    ({ service, zoneId } = await startService());
  });
  const deny = (times: number, method = "DELETE") => service.fault({ method, status: 404, times });
  const methods = (requests: readonly string[]): string[] => requests.map((request) => request.split(" ")[0] ?? "");
  const customRulesets = async () => (await service.list(`zones/${zoneId}`)).filter(({ kind }) => kind === "custom");
  const customRuleset = async () => {
    const resource = new ManagedRuleset("Ruleset", service);
    await resource.up({ zoneId, kind: "custom", name: "mine", phase, rules });
    return resource;
  };

  test("is sent again after a read: a custom ruleset", async () => {
    const resource = await customRuleset();
    await deny(1);
    expect(methods(await resource.destroy())).toEqual(["GET", "DELETE", "GET", "DELETE"]);
    expect(await customRulesets()).toEqual([]);
  });

  test("fails if it is never carried out, and the state keeps the ruleset, so that no second one is created", async () => {
    const resource = await customRuleset();
    await deny(3);
    await expect(resource.destroy()).rejects.toThrow(
      /DELETE .* was answered with 404 3 times, but a GET still finds what was to be deleted[^]*To continue: /,
    );
    expect(methods(await service.requests())).toEqual(["GET", "DELETE", "GET", "DELETE", "GET", "DELETE", "GET"]);
    expect(resource.kept).toBeDefined();
    await resource.settled({ zoneId, kind: "custom", name: "mine", phase, rules });
    expect(await customRulesets()).toHaveLength(1);
  });

  test("is believed if a read does not find it either", async () => {
    const resource = await customRuleset();
    const id = resource.kept?.state.rulesetId ?? "";
    await service.fault({
      method: "DELETE",
      meanwhile: [{ method: "DELETE", path: `/zones/${zoneId}/rulesets/${id}` }],
    });
    expect(methods(await resource.destroy())).toEqual(["GET", "DELETE", "GET"]);
  });

  test("is sent again after a read: a rule of a shared list", async () => {
    const resource = new ManagedRuleset("PhaseEntrypoint", service);
    const inputs = (list: object[]) => ({ zoneId, phase, ownership: "shared", rules: list });
    await resource.up(inputs(rules));
    await deny(1);
    expect(methods((await resource.up(inputs(rules.slice(1)))).requests)).toEqual(["GET", "DELETE", "GET", "DELETE"]);
    expect((await service.rules(zoneId, phase)).map(({ description }) => description)).toEqual(["B"]);
    await resource.settled(inputs(rules.slice(1)));
    await deny(9);
    await expect(resource.destroy()).rejects.toThrow("a GET still finds what was to be deleted");
    await service.noFaults();
    expect(resource.kept?.state.ruleIds).not.toEqual({});
    await resource.destroy();
    expect(await service.rules(zoneId, phase)).toEqual([]);
  });

  test("is believed for a rule that somebody deleted meanwhile, after one read", async () => {
    const resource = new ManagedRuleset("PhaseEntrypoint", service);
    const inputs = (list: object[]) => ({ zoneId, phase, ownership: "shared", rules: list });
    await resource.up(inputs(rules));
    const ruleset = await service.entrypoint(zoneId, phase);
    const path = `/zones/${zoneId}/rulesets/${ruleset?.id ?? ""}/rules/${ruleset?.rules[0]?.id ?? ""}`;
    await service.fault({ method: "DELETE", meanwhile: [{ method: "DELETE", path }] });
    expect(methods((await resource.up(inputs(rules.slice(1)))).requests)).toEqual(["GET", "DELETE", "GET"]);
    await resource.settled(inputs(rules.slice(1)));
  });

  test("is sent again after a read: a single rule", async () => {
    const resource = new ManagedResource("RulesetRule", service);
    await resource.up({ zoneId, phase, ref: "a", ...block("A", "ssl") });
    await deny(9);
    await expect(resource.destroy()).rejects.toThrow("a GET still finds what was to be deleted");
    await service.noFaults();
    await deny(2);
    expect(methods(await resource.destroy())).toEqual(["GET", "DELETE", "GET", "DELETE", "GET", "DELETE"]);
    expect(await service.rules(zoneId, phase)).toEqual([]);
  });

  test("is not believed either when it is a write that empties an entry point", async () => {
    const resource = new ManagedRuleset("PhaseEntrypoint", service);
    await resource.up({ zoneId, phase, rules });
    await deny(1, "PUT");
    await expect(resource.destroy()).rejects.toThrow("404");
    expect(methods(await service.requests())).toEqual(["GET", "PUT", "GET"]);
    await resource.destroy();
    expect(await service.rules(zoneId, phase)).toEqual([]);
  });

  test("tells which version it made in a ruleset that stays, unless somebody else may have made it", async () => {
    const empties = new ManagedRuleset("PhaseEntrypoint", service);
    await empties.up({ zoneId, phase, rules });
    await empties.destroy();
    const { id = "", version } = (await service.entrypoint(zoneId, phase)) ?? {};
    expect([version, empties.statuses]).toEqual(["2", [`deleted, which made version 2 of ruleset ${id}`]]);
    const resource = new ManagedResource("RulesetRule", service);
    await resource.up({ zoneId, phase, ref: "a", ...block("A", "ssl") });
    await resource.destroy();
    expect(resource.statuses).toEqual([`deleted, which made version 4 of ruleset ${id}`]);
    await resource.up({ zoneId, phase, ref: "a", ...block("A", "ssl") });
    const [rule] = (await service.entrypoint(zoneId, phase))?.rules ?? [];
    const path = `/zones/${zoneId}/rulesets/${id}/rules/${rule?.id ?? ""}`;
    await service.fault({ method: "DELETE", meanwhile: [{ method: "DELETE", path }] });
    await resource.destroy();
    expect(resource.statuses).toEqual([]);
  });
});
