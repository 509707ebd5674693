import type { Emulator } from "../../emulator/index.js";
import { ruleToWire } from "../../core/model/codec.js";
import { Contract, contractFaults, operations, templateOf } from "../support/contract.js";
import { Service, TOKEN } from "../support/emulator.js";
import { everyAction, sampleSeed } from "../support/every-action.js";
import { emulatorWith } from "../support/emulators.js";

const phase = "http_request_firewall_custom";
const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";
/** The rules of account entry points contain this condition. */
const PLAN = 'cf.zone.plan eq "ENT"';
const rule = { action: "block", expression: "ssl", description: "A" };

describe("responses agree with the API description", () => {
  let emulator: Emulator;
  let zone: string;
  let account: string;
  let contract: Contract;
  beforeAll(async () => {
    emulator = await emulatorWith({ seed: sampleSeed });
    contract = new Contract(emulator.url);
    const service = new Service(emulator);
    zone = `/zones/${await service.zone()}`;
    account = `/accounts/${await service.account()}`;
  });

  const send: Contract["send"] = (...request) => contract.send(...request);

  test.each(["zones", "accounts"])("for all operations on a ruleset in %s", async (level) => {
    const root = level === "zones" ? zone : account;
    const custom = await send("POST", `${root}/rulesets`, { name: "mine", kind: "custom", phase, rules: [rule] });
    const entryRule =
      level === "zones" ? rule : { action: "execute", expression: PLAN, action_parameters: { id: custom.id } };
    const entry = await send("PUT", `${root}/rulesets/phases/${phase}/entrypoint`, {
      name: "default",
      rules: [entryRule],
    });
    await send("GET", `${root}/rulesets`);
    await send("GET", `${root}/rulesets?per_page=1`);
    await send("GET", `${root}/rulesets/${custom.id}`);
    await send("GET", `${root}/rulesets/phases/${phase}/entrypoint`);
    const updated = await send("PUT", `${root}/rulesets/${custom.id}`, {
      description: "x",
      rules: [rule, { ...rule, expression: "not ssl" }],
    });
    const added = await send("POST", `${root}/rulesets/${custom.id}/rules`, {
      ...rule,
      expression: "true",
      position: { before: "" },
    });
    const first = added.rules[0]?.id ?? "";
    await send("PATCH", `${root}/rulesets/${custom.id}/rules/${first}`, { position: { after: "" } });
    await send("PATCH", `${root}/rulesets/${custom.id}/rules/${first}`, { ...rule, enabled: false });
    await send("DELETE", `${root}/rulesets/${custom.id}/rules/${first}`);
    await send("GET", `${root}/rulesets/${custom.id}/versions`);
    await send("GET", `${root}/rulesets/${custom.id}/versions/${updated.version}`);
    await send("GET", `${root}/rulesets/phases/${phase}/entrypoint/versions`);
    await send("GET", `${root}/rulesets/phases/${phase}/entrypoint/versions/1`);
    await send("DELETE", `${root}/rulesets/${custom.id}/versions/${updated.version}`, undefined, 204);
    await send("PUT", `${root}/rulesets/phases/${phase}/entrypoint`, { name: "default", rules: [] });
    await send("DELETE", `${root}/rulesets/${custom.id}`, undefined, 204);
    await send("DELETE", `${root}/rulesets/${entry.id}`, undefined, 204);
  });

  test("for zones", async () => {
    await send("GET", "/zones?per_page=5");
    await send("GET", zone);
  });

  test.each(everyAction.map((sample) => [sample.phase, sample] as const))(
    "for every action of %s",
    async (samplePhase, { rules, level }) => {
      const root = level === "zones" ? zone : account;
      await send("PUT", `${root}/rulesets/phases/${samplePhase}/entrypoint`, {
        name: "default",
        rules: rules.map(ruleToWire),
      });
      await send("GET", `${root}/rulesets/phases/${samplePhase}/entrypoint`);
    },
  );

  test("for errors", async () => {
    await send("GET", `${zone}/rulesets/${"0".repeat(32)}`, undefined, 404);
    await send("GET", `${zone}/rulesets/phases/http_request_origin_x/entrypoint`, undefined, 404);
    await send("PUT", `${zone}/rulesets/phases/${phase}/entrypoint`, { rules: [{ action: "block" }] }, 400);
    await send("POST", `${zone}/rulesets`, { name: "x", kind: "managed", phase }, 400);
    await send("DELETE", `${zone}/rulesets/${OWASP}`, undefined, 403);
  });

  test("for a dry run, which returns no result", async () => {
    await send("POST", `${zone}/rulesets?dry_run=true`, { name: "dry", kind: "custom", phase });
  });

  test("for the rules of a managed ruleset by tag, the only ones without expressions", async () => {
    for (const root of [account, zone]) {
      const answer = await fetch(`${emulator.url}${root}/rulesets/${OWASP}/versions/34/by_tag/paranoia-level-2`, {
        headers: { Authorization: `Bearer ${TOKEN}` },
      });
      const body = JSON.parse(await answer.text()) as { result: { rules: Record<string, unknown>[] } };
      expect(body.result.rules).toHaveLength(2);
      const shown = {
        ...body,
        result: { ...body.result, rules: body.result.rules.map((item) => ({ ...item, expression: "hidden" })) },
      };
      const path = `${root}/rulesets/${OWASP}/versions/34/by_tag/paranoia-level-2`;
      expect(contractFaults("GET", path, 200, shown)).toEqual([]);
      contract.seen.add(`GET ${templateOf(path) ?? ""}`);
    }
  });

  test("every operation of the description has been called", () => {
    const own = operations.filter((operation) => /\/rulesets|^GET \/zones(\/\{zone_id\})?$/.test(operation));
    expect([...contract.seen].sort()).toEqual(own.sort());
  });
});
