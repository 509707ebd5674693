import { writesIn } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

const NAME = "shop.customer.test";

interface Args {
  readonly zoneId: string;
  readonly name: string;
  /** The previous name of the resources. */
  readonly alias?: string;
}
const program = ({ CustomHostnameCa, TotalTlsCa }: Library, { zoneId, name, alias }: Args): object => {
  const choice = { zoneId, certificateAuthority: "google", onDelete: "restore" as const };
  const opts = { aliases: alias === undefined ? [] : [{ name: alias }] };
  const ca = new CustomHostnameCa(name, { ...choice, hostname: "shop.customer.test" }, opts);
  const tls = new TotalTlsCa(name, choice, opts);
  return { hostname: ca.previousCertificateAuthority, totalTls: tls.previousCertificateAuthority };
};

describe("the previous authority, on the real engine", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    const certificates = {
      hostnames: [{ hostname: NAME, certificateAuthority: "lets_encrypt", method: "http" }],
      totalTls: { enabled: true, certificateAuthority: "ssl_com" },
    };
    stack = await EngineStack.start({ seed: { zones: [{ name: "saas.example.com", certificates }] } });
    zoneId = await stack.service.zone();
  });
  afterEach(() => stack.close());
  const authorities = async (): Promise<readonly [string, string, string]> => {
    const [found] = await stack.service.ask<{ ssl: { certificate_authority: string; method: string } }[]>(
      "GET",
      `/zones/${zoneId}/custom_hostnames`,
    );
    const tls = await stack.service.ask<{ certificate_authority: string }>("GET", `/zones/${zoneId}/acm/total_tls`);
    return [found?.ssl.certificate_authority ?? "", found?.ssl.method ?? "", tls.certificate_authority];
  };
  /** Runs the program, and expects that it writes nothing and still knows the previous authorities. */
  const expectKept = async (args: Omit<Args, "zoneId">): Promise<void> => {
    const up = await stack.up(program, { zoneId, ...args });
    expect([up.text, writesIn(up.requests)]).toEqual([expect.any(String), []]);
    expect(up.outputs).toEqual({ hostname: "lets_encrypt", totalTls: "ssl_com" });
    expect(stack.resources()).toHaveLength(2);
    const kept = stack.resources().flatMap(({ inputs, outputs }) => Object.keys({ ...inputs, ...outputs }));
    expect(kept).not.toContain("__program");
    for (const { urn, outputs } of stack.resources()) expect(outputs?.__urn).toBe(urn);
  };
  const expectRestored = async (): Promise<void> => {
    const destroyed = await stack.destroy();
    expect([destroyed.ok, writesIn(destroyed.requests).length]).toEqual([true, 2]);
    expect(destroyed.text).toContain(
      `${NAME}: restored from Google Trust Services to Let's Encrypt; its certificate is validated again and reissued`,
    );
    expect(destroyed.text).toContain("Total TLS of zone");
    expect(await authorities()).toEqual(["lets_encrypt", "http", "ssl_com"]);
  };
  test("is still known after a rename with an alias", async () => {
    await stack.up(program, { zoneId, name: "first" });
    await expectKept({ name: "second", alias: "first" });
    await expectRestored();
  });
});
