import { Service, TOKEN } from "../support/emulator.js";
import { EngineStack, type Library } from "./support/stack.js";
import { emulatorWith } from "../support/emulators.js";

const program = async ({ listCertificatePacks, listCustomHostnames, getTotalTls }: Library, zoneId: string) => {
  const [packs, hostnames, tls] = await Promise.all([
    listCertificatePacks({ zoneId }),
    listCustomHostnames({ zoneId }),
    getTotalTls({ zoneId }),
  ]);
  return { packs: packs.length, hostnames: hostnames.length, tls: tls.enabled };
};

/** With the Automation API, programs run in one process one after the other, each with the configuration of its stack. */
describe("functions use the configuration of the running program", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });

  test("and never that of an earlier one, even if that failed", async () => {
    await stack.setConfig({ "rulesets:apiToken": { value: "two\nlines", secret: true } });
    const failed = await stack.preview(program, zoneId);
    expect(failed.text).toContain("the token in configuration key rulesets:apiToken cannot be sent");
    await stack.setConfig({ "rulesets:apiToken": { value: TOKEN, secret: true } });
    expect(await stack.preview(program, zoneId)).toMatchObject({ ok: true, requests: { length: 3 } });

    const other = await emulatorWith();
    try {
      await stack.setConfig({ "rulesets:baseUrl": { value: other.url } });
      expect(await stack.preview(program, zoneId)).toMatchObject({ ok: true, requests: [] });
      expect(await new Service(other).requests()).toHaveLength(3);
    } finally {
      await other.close();
    }
  });
});
