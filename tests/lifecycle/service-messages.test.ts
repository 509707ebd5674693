import { programText } from "../../provider/engine/program-run.js";
import { KINDS } from "../../provider/kinds/index.js";
import { adapt } from "../../provider/border/dynamic/adapter.js";
import { ProviderProcess } from "../../provider/border/process.js";
import { TOKEN, type Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { startService } from "./harness.js";

const phase = "http_request_firewall_managed";
const CLOUDFLARE = "efb7b8c949ac4650a09736fc376e9aee";
const unknown = "5de7edfa648c4d6891dc3e7f84534fff";

describe("messages in the responses of the service", () => {
  let service: Service;
  let zoneId: string;
  let warnings: [string | undefined, string][];
  let process: ProviderProcess;
  beforeEach(async () => {
    ({ service } = await startService());
    zoneId = await service.zone();
    warnings = [];
    const env = { RULESETS_BASE_URL: service.emulator.url, RULESETS_API_TOKEN: TOKEN };
    const reporter = {
      info: () => undefined,
      warn: (urn: string | undefined, text: string) => warnings.push([urn, text]),
      status: () => undefined,
    };
    process = new ProviderProcess(env, undefined, { reporter });
    await service.forget();
  });

  const create = async (urn: string, args: object): Promise<void> => {
    const kind = KINDS.PhaseEntrypoint();
    const provider = adapt(kind, process);
    const checked = await provider.check?.({}, { ...args, __urn: urn, __program: programText({ preview: false }) });
    await provider.create({ ...(checked?.inputs as object), __urn: urn });
  };
  const rule = (id: string) => ({
    action: "execute",
    expression: "true",
    actionParameters: { id: CLOUDFLARE, overrides: { rules: [{ id, enabled: false }] } },
  });

  test("are warnings at the row of the resource concerned", async () => {
    await create("urn:managed", { zoneId, phase, rules: [rule(unknown)] });
    expect(warnings).toEqual([
      [
        "urn:managed",
        `the service says: rule ${unknown} of ruleset ${CLOUDFLARE} is not known here: the emulator only knows some ` +
          "rules of the managed rulesets (at /rules/0/action_parameters/overrides/rules/0/id)",
      ],
    ]);
    expect(await service.requests()).toEqual([`GET /zones/${zoneId}/rulesets`, `POST /zones/${zoneId}/rulesets`]);
  });

  test("are reported once per resource, however many responses contain them", async () => {
    await service.fault({ times: 9, messages: ["this zone moves to another plan", { message: "soon" }] });
    await create("urn:one", { zoneId, phase: "http_request_firewall_custom", rules: [block("A", "ssl")] });
    await create("urn:two", { zoneId, phase: "http_request_origin", rules: [] });
    expect((await service.requests()).length).toBeGreaterThan(2);
    const both = ["the service says: this zone moves to another plan", "the service says: soon"];
    expect(warnings).toEqual([...both.map((text) => ["urn:one", text]), ...both.map((text) => ["urn:two", text])]);
  });

  test("show no secret", async () => {
    await service.fault({ times: 9, messages: [`the token ${TOKEN} ends soon`] });
    await create("urn:one", { zoneId, phase, rules: [] });
    expect(warnings.map(([, text]) => text)).toEqual([expect.stringMatching(/^the service says: .* ends soon$/)]);
    expect(JSON.stringify(warnings)).not.toContain(TOKEN);
  });
});
