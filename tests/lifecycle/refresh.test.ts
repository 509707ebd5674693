import type { RulesetInputs, RulesetState } from "../../provider/kinds/rulesets/description.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { block } from "../support/rules.js";
import { ManagedRuleset } from "./harness.js";
import { keptOf } from "./managed.js";
import { Run } from "./run.js";

const PHASES = ["http_request_firewall_custom", "http_request_transform", "http_request_origin"];
const OTHER_ZONE = "other.example.com";

describe("a refresh of several rulesets of a zone", () => {
  let service: Service;
  let zones: string[];
  let driven: ManagedRuleset[];
  const rulesFor = (phase: string): object[] =>
    phase === "http_request_firewall_custom"
      ? [block("A", "ssl"), block("B", "not ssl")]
      : phase === "http_request_origin"
        ? [{ action: "route", expression: "ssl", actionParameters: { hostHeader: "a.example.com" } }]
        : [{ action: "rewrite", expression: "ssl", actionParameters: { uri: { path: { value: "/a" } } } }];
  beforeEach(async () => {
    service = new Service(
      await freshEmulator({
        seed: {
          zones: [
            { name: "example.com", plan: "enterprise" },
            { name: OTHER_ZONE, plan: "enterprise" },
          ],
        },
      }),
    );
    zones = (await service.ask<{ id: string }[]>("GET", "/zones")).map(({ id }) => id);
    driven = [];
    for (const zoneId of zones) {
      for (const phase of PHASES) {
        const one = new ManagedRuleset("PhaseEntrypoint", service, `urn:${zoneId}:${phase}`);
        await one.up({ zoneId, phase, rules: rulesFor(phase) });
        driven.push(one);
      }
    }
    await service.forget();
  });

  /** Refreshes all concurrently in one process, as the engine does; returns the results and the requests. */
  const refresh = async (which: readonly ManagedRuleset[], after: readonly ManagedRuleset[] = []) => {
    const returned: unknown[] = [];
    const run = new Run(service.emulator.url, { watch: (value) => returned.push(value) });
    const one = async ({ kind, stored }: ManagedRuleset) => {
      if (stored === undefined) throw new Error("nothing to refresh");
      const found = await run.read(kind, stored);
      if (found === undefined) return undefined;
      return keptOf("PhaseEntrypoint", found) as { readonly inputs: RulesetInputs; readonly state: RulesetState };
    };
    const found = await Promise.all(which.map(one));
    for (const late of after) found.push(await one(late));
    return { found, returned, requests: await service.requests() };
  };
  const states = () => driven.map(({ kept }) => kept?.state);
  const scopeOf = (zone: number): string => `zones/${zones[zone] ?? ""}`;

  test("makes one request per zone when nothing changed, and returns every state unchanged", async () => {
    const { found, returned, requests } = await refresh(driven);
    expect(requests.sort()).toEqual(zones.map((id) => `GET /zones/${id}/rulesets`).sort());
    expect(found.map((one) => one?.state)).toEqual(states());
    expect(found.map((one) => one?.inputs)).toEqual(driven.map(({ kept }) => kept?.inputs));
    // The engine keeps the inputs it has, and nobody converts them again.
    expect(returned).toEqual(driven.map((): unknown => [undefined, expect.anything()]));
  });

  test("makes one request for the next zone too, however far apart the engine refreshes its rulesets", async () => {
    const { found, requests } = await refresh(driven.slice(0, 3), driven.slice(3));
    expect(requests).toEqual(zones.map((id) => `GET /zones/${id}/rulesets`));
    expect(found.map((one) => one?.state)).toEqual(states());
  });

  test("reads only those that changed, with their drift", async () => {
    const state = driven[0]?.kept?.state;
    await service.editRule(scopeOf(0), state?.rulesetId ?? "", state?.deployedRules[0]?.id ?? "", {
      ...block("A", "ip.src eq 192.0.2.9"),
    });
    await service.delete(scopeOf(1), driven[4]?.kept?.state.rulesetId ?? "");
    const { found, requests } = await refresh(driven);
    expect(requests).toHaveLength(2 + 2);
    const [first] = state?.order.split("\n") ?? [];
    expect(found[0]?.inputs.rules[first ?? ""]?.expression).toBe("ip.src eq 192.0.2.9");
    expect(found[4]).toBeUndefined();
    expect([1, 2, 3, 5].map((index) => found[index]?.state)).toEqual([1, 2, 3, 5].map((index) => states()[index]));
  });

  test("reads a single one of a zone itself only if it changed", async () => {
    const one = driven.slice(0, 1);
    const list = `GET /zones/${zones[0] ?? ""}/rulesets`;
    expect((await refresh(one)).requests).toEqual([list]);
    await service.addRule(scopeOf(0), driven[0]?.kept?.state.rulesetId ?? "", { ...block("3am", "ssl") });
    const { found, requests } = await refresh(one);
    expect(requests).toEqual([list, `${list}/phases/${PHASES[0] ?? ""}/entrypoint`]);
    expect(found[0]?.state.deployedRules).toHaveLength(3);
  });

  test("reads each one itself when the list cannot be read", async () => {
    await service.fault({ method: "GET", path: "/rulesets$", status: 403, times: 9 });
    const { found, requests } = await refresh(driven.slice(0, 3));
    expect(requests.filter((request) => request.endsWith("/entrypoint"))).toHaveLength(3);
    expect(found.map((one) => one?.state)).toEqual(states().slice(0, 3));
  });
});
