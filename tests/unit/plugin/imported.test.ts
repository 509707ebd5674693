import type { Emulator } from "../../../emulator/index.js";
import type { JsonObject } from "../../../core/model/json.js";
import { wrapSecret } from "../../../core/model/secret.js";
import { Plugin } from "../../../provider/border/grpc/plugin.js";
import { ProviderProcess } from "../../../provider/border/process.js";
import { Service, TOKEN } from "../../support/emulator.js";
import { freshEmulator } from "../../support/emulators.js";
import { failureOf } from "../../support/failure.js";

/* What the plugin does between an import, or a refresh, and the first change. */

const phase = "http_request_firewall_custom";

let emulator: Emulator;
let service: Service;
let zoneId: string;
beforeEach(async () => {
  const totalTls = { enabled: true, certificateAuthority: "lets_encrypt" as const };
  emulator = await freshEmulator({ seed: { zones: [{ name: "shop.example.com", certificates: { totalTls } }] } });
  service = new Service(emulator);
  zoneId = await service.zone();
});

/** A run of the plugin. */
const newPlugin = () => {
  const ignore = () => undefined;
  const reporter = { info: ignore, warn: ignore, status: ignore, plan: ignore };
  const env = { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: TOKEN };
  return new Plugin(new ProviderProcess(env, undefined, { reporter }));
};
const called = (kind: string) => ({
  urn: `urn:pulumi:dev::shop::rulesets:index:${kind}::it`,
  kind,
  name: "it",
});

const IMPORTED: readonly (readonly [kind: string, id: () => string, change: JsonObject, name: string])[] = [
  ["PhaseEntrypoint", () => `zones/${zoneId}/phases/${phase}`, { rules: [] }, "rules"],
  ["RulesetRule", () => `zones/${zoneId}/phases/${phase}/rules/a`, { enabled: false }, "enabled"],
  ["TotalTlsCa", () => `zones/${zoneId}/total-tls`, { certificateAuthority: "google" }, "certificateAuthority"],
];

test.each(IMPORTED)(
  "the run that imports a %s stops if the program has other values",
  async (kind, idOf, change, name) => {
    const rules = [{ ref: "a", action: "block", expression: "ssl" }];
    await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules });
    const [plugin, resource, id] = [newPlugin(), called(kind), idOf()];
    const { found } = await plugin.read(resource, id, {});
    const { inputs: imported = {}, state = {} } = found ?? {};
    const declare = async (args: JsonObject) => {
      const { inputs, reasons } = await plugin.check(resource, imported, args);
      expect(reasons).toEqual([]);
      return plugin.diff(resource, id, { state, oldInputs: () => imported, news: inputs });
    };
    expect(await declare(imported)).toMatchObject({ changes: false });
    expect(await failureOf(declare({ ...imported, ...change }))).toContain(
      `the program declares other values than ${id} has (${name}), and the option import changes nothing. No request was sent.`,
    );
  },
);

test("a secret of the program in what is imported is not another value", async () => {
  const rule = { ref: "a", action: "block", expression: 'http.cookie eq "hush-hush-1234"' };
  await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: [rule] });
  const [plugin, resource, id] = [newPlugin(), called("RulesetRule"), `zones/${zoneId}/phases/${phase}/rules/a`];
  const secret = wrapSecret(rule.expression);
  const others = { zoneId, phase: "http_ratelimit", rules: [{ ...rule, expression: secret }] };
  await plugin.check(called("PhaseEntrypoint"), {}, others);
  const { found } = await plugin.read(resource, id, {});
  const { inputs: imported = {}, state = {} } = found ?? {};
  expect(imported.expression).toEqual(secret);
  const { inputs } = await plugin.check(resource, imported, { ...imported, enabled: false });
  const diff = plugin.diff(resource, id, { state, oldInputs: () => imported, news: inputs });
  expect(await failureOf(diff)).toContain(`other values than ${id} has (enabled)`);
});
