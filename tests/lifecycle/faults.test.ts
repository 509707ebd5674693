import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { writesIn } from "../support/requests.js";
import { ManagedRuleset, startService } from "./harness.js";

const phase = "http_request_firewall_custom";
const rules = [block("A", "ssl"), block("B", "not ssl")];

describe("when the network fails", () => {
  let service: Service;
  let zoneId: string;
  let inputs: object;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    ({ service, zoneId } = await startService());
    inputs = { zoneId, phase, rules };
    resource = new ManagedRuleset("PhaseEntrypoint", service);
  });
  const methods = (requests: readonly string[]): string[] => requests.map((request) => request.split(" ")[0] ?? "");
  const changed = () => ({ zoneId, phase, rules: [...rules, block("C", "true")] });

  test("a create whose response is lost is found by a read, not repeated", async () => {
    await service.fault({ method: "POST", cut: "after" });
    expect(methods((await resource.up(inputs)).requests)).toEqual(["GET", "POST", "GET"]);
    await resource.settled(inputs);
  });

  test("a create that never arrived is sent again after a read", async () => {
    await service.fault({ method: "POST", cut: "before" });
    expect(methods((await resource.up(inputs)).requests)).toEqual(["GET", "POST", "GET", "POST"]);
    await resource.settled(inputs);
  });

  test("a create with unknown outcome leaves no state, and the next up uses what it left", async () => {
    await service.fault({ method: "POST", cut: "after" });
    await service.fault({ method: "GET", path: "*/entrypoint", status: 500, times: 9 });
    await expect(resource.up(inputs)).rejects.toThrow();
    expect(resource.kept).toBeUndefined();
    await service.noFaults();
    const again = await resource.up(inputs);
    expect(methods(again.requests)).toEqual(["GET", "GET"]);
    await resource.settled(inputs);
  });

  test("a custom ruleset whose response is lost is found by a read", async () => {
    const custom = { zoneId, kind: "custom", name: "mine", phase, rules };
    const ruleset = new ManagedRuleset("Ruleset", service);
    await service.fault({ method: "POST", cut: "after" });
    await ruleset.up(custom);
    expect((await service.list(`zones/${zoneId}`)).filter(({ kind }) => kind === "custom")).toHaveLength(1);
    await ruleset.settled(custom);
  });

  test("an update whose response is lost is found by a read", async () => {
    await resource.up(inputs);
    await service.fault({ method: "PUT", cut: "after" });
    expect(methods((await resource.up(changed())).requests)).toEqual(["GET", "PUT", "GET"]);
    await resource.settled(changed());
  });

  test("an update that never arrived is sent again after a read", async () => {
    await resource.up(inputs);
    await service.fault({ method: "PUT", cut: "before" });
    expect(methods((await resource.up(changed())).requests)).toEqual(["GET", "PUT", "GET", "PUT"]);
    await resource.settled(changed());
  });

  test.each([{ cut: "before" }, { cut: "after" }, { status: 502 }] as const)(
    "an update with unknown outcome (%j) is finished by the next up",
    async (fault) => {
      await resource.up(inputs);
      await service.fault({ method: "PUT", ...fault });
      await service.fault({
        method: "GET",
        path: `*/rulesets/${resource.kept?.state.rulesetId ?? ""}`,
        status: 503,
        times: 9,
      });
      await expect(resource.up(changed())).rejects.toThrow(
        /It is not known whether the request was carried out\. To continue: .* `pulumi up`: it reads what is there before/,
      );
      await service.noFaults();
      expect(resource.kept?.state.__incomplete).toBe(true);
      expect((await resource.preview(changed())).action).toBe("update");
      await resource.up(changed());
      await resource.settled(changed());
      expect((await service.entrypoint(zoneId, phase))?.rules).toHaveLength(3);
    },
  );

  test("a change by someone else between the lost write and the read is not overwritten", async () => {
    await resource.up(inputs);
    const before = await service.entrypoint(zoneId, phase);
    const path = `/zones/${zoneId}/rulesets/${before?.id ?? ""}/rules`;
    const body = { action: "log", expression: "true", description: "3am" };
    await service.fault({ method: "PUT", cut: "before", meanwhile: [{ method: "POST", path, body }] });
    await expect(resource.up(changed())).rejects.toThrow("neither its previous rules nor the ones that were sent");
    expect((await service.entrypoint(zoneId, phase))?.rules.map(({ description }) => description)).toContain("3am");
  });

  test("a delete whose response is lost succeeds", async () => {
    const keeping = { ...inputs, onDelete: "delete" };
    await resource.up(keeping);
    await service.fault({ method: "DELETE", cut: "after" });
    resource.newSession();
    await expect(resource.destroy()).rejects.toThrow("no response");
    expect(await resource.destroy()).toHaveLength(1);
    expect(await service.entrypoint(zoneId, phase)).toBeUndefined();
  });

  test("an invalid response to a read stops before any write", async () => {
    await resource.up(inputs);
    await service.fault({ method: "GET", body: "<html>captive portal</html>", status: 200 });
    await expect(resource.up(changed())).rejects.toThrow("check rulesets:baseUrl");
    expect(writesIn(await service.requests())).toEqual([]);
  });

  test("a preview without a response checks what it can and reports what it could not", async () => {
    await service.fault({ status: 503, times: 9 });
    const preview = await resource.preview(inputs);
    expect(preview.action).toBe("create");
    expect(preview.warnings.join()).toMatch(
      /^could not check what is in http_request_firewall_custom of zone [0-9a-f]{32}/,
    );
    await expect(resource.up(inputs)).rejects.toThrow("503");
  });

  test("an entry point that someone else creates first is noticed", async () => {
    const body = { name: "default", kind: "zone", phase, rules: [{ action: "log", expression: "true" }] };
    await service.fault({ method: "POST", meanwhile: [{ method: "POST", path: `/zones/${zoneId}/rulesets`, body }] });
    await expect(resource.up(inputs)).rejects.toThrow(/already exists: ruleset [0-9a-f]{32}, version 1, with 1 rule/);
    expect((await service.entrypoint(zoneId, phase))?.rules.map(({ action }) => action)).toEqual(["log"]);
  });
});
