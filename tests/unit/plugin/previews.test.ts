import { Plugin } from "../../../provider/border/grpc/plugin.js";
import { ProviderProcess } from "../../../provider/border/process.js";
import { startService } from "../../lifecycle/harness.js";
import { TOKEN } from "../../support/emulator.js";

let zoneId: string;
let plans: string[];
let plugin: Plugin;
beforeEach(async () => {
  const { service, ...ids } = await startService();
  zoneId = ids.zoneId;
  plans = [];
  const reporter = {
    info: () => undefined,
    warn: () => undefined,
    status: () => undefined,
    plan: (urn: string | undefined) => plans.push(urn ?? ""),
  };
  const env = { RULESETS_BASE_URL: service.emulator.url, RULESETS_API_TOKEN: TOKEN };
  plugin = new Plugin(new ProviderProcess(env, undefined, { reporter }));
});

const called = (name: string) => ({ urn: name, kind: "PhaseEntrypoint", name });
const check = async (name: string) => {
  const { inputs, reasons } = await plugin.check(called(name), {}, { zoneId, phase: name, rules: [] });
  expect(reasons).toEqual([]);
  return inputs;
};

test("what a preview checks after its first create or update is checked once", async () => {
  const [first, second] = ["http_request_firewall_custom", "http_request_dynamic_redirect"];
  const inputs = await check(first);
  expect(plans).toEqual([]);
  await plugin.create(called(first), inputs, { preview: true });
  expect(plans).toEqual([first]);
  const others = await check(second);
  expect(plans).toEqual([first, second]);
  await plugin.create(called(second), others, { preview: true });
  expect(plans).toEqual([first, second]);
});

test("a run that writes is no preview", async () => {
  const inputs = await check("http_request_firewall_custom");
  await plugin.create(called("http_request_firewall_custom"), inputs, { preview: false });
  await check("http_request_firewall_managed");
  expect(plans).toEqual([]);
});
