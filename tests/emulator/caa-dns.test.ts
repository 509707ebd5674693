import { createSocket } from "node:dgram";
import { runCertificateReport } from "../../tools/cli/certificates/command.js";
import { caaLookups } from "../../tools/cli/certificates/caa-lookups.js";
import { NO_PROGRESS } from "../../tools/cli/progress.js";
import type { Emulator } from "../../emulator/index.js";
import { askDns, caaResolver } from "../../provider/kinds/certificates/resolve-caa.js";
import { ManagedResource } from "../lifecycle/managed.js";
import { unpacedClientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";

const LETS_ENCRYPT = "letsencrypt.org";

describe("an emulator that serves its CAA records over DNS", () => {
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  let server: string;
  beforeAll(async () => {
    emulator = await emulatorWith({
      dns: {},
      seed: {
        zones: [
          {
            name: "saas.example.com",
            certificates: {
              hostnames: [
                { hostname: "default.forbids.test" },
                { hostname: "other.forbids.test" },
                { hostname: "chosen.allows.test", certificateAuthority: "lets_encrypt" },
                { hostname: "fine.allows.test" },
              ],
              caa: { "forbids.test": [LETS_ENCRYPT], "allows.test": ["pki.goog", LETS_ENCRYPT], "nobody.test": [] },
            },
          },
          { name: "quiet.example.com", certificates: { caa: { "second.test": ["ssl.com"] } } },
        ],
      },
    });
    service = new Service(emulator);
    zoneId = (await unpacedClientFor(emulator.url).zones.list({ name: "saas.example.com" }))[0]?.id ?? "";
    server = emulator.dnsServer ?? "";
  });

  test("answers with the records of every zone, in any case, and with none for other names and types", async () => {
    const resolve = caaResolver(askDns(server));
    expect(server).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(await resolve("ALLOWS.test")).toEqual([
      { critical: 0, issue: "pki.goog" },
      { critical: 0, issue: LETS_ENCRYPT },
    ]);
    expect(await resolve("nobody.test")).toMatchObject([{ issue: ";" }]);
    expect(await resolve("second.test")).toMatchObject([{ issue: "ssl.com" }]);
    expect([await resolve("a.allows.test"), await resolve("test")]).toEqual([[], []]);
  });

  test("does not answer what is no query, and goes on answering", async () => {
    const socket = createSocket("udp4");
    const port = Number(server.split(":")[1]);
    const broken = ["", "x", "ab\x81\x00\x00\x01\0\0\0\0\0\0\0", "ab\0\0\x00\x01\0\0\0\0\0\0\x3fshort"];
    for (const text of broken)
      await new Promise((sent) => {
        socket.send(Buffer.from(text, "latin1"), port, "127.0.0.1", sent);
      });
    socket.close();
    expect(await caaResolver(askDns(server))("second.test")).toHaveLength(1);
  });

  const report = async (options: object = {}, dnsServer = server): Promise<string> => {
    const printed: string[] = [];
    const io = {
      print: (line: string) => void printed.push(line),
      progress: NO_PROGRESS,
      resolveCaa: caaLookups({ dnsServer }, {}),
    };
    const common = { zone: ["saas.example.com"], parallel: "1", date: "2024-10-05" };
    await runCertificateReport({ ...common, ...options }, () => unpacedClientFor(emulator.url), io);
    return printed.join("\n");
  };

  test("lets the report tell a fallback from a choice", async () => {
    const text = await report();
    expect(text).toContain("as of 2024-10-05: 1 action needed, 2 to watch, ");
    expect(text).toMatch(/1\. Custom hostname: action needed \(1\)\n.*No CAA record forbids Google Trust Services now/);
    expect(text).toMatch(/2\. Custom hostname: to watch \(2\)\n.*so the service's default falls back to Let's Encrypt/);
    expect(text).toContain("     default.forbids.test: forbids.test allows letsencrypt.org; PATCH /zones/");
    expect(text).toMatch(/To do: +First, the hostname's owner has to allow pki\.goog/);
  });

  test("lets the report name what could not be looked up", async () => {
    const socket = createSocket("udp4");
    await new Promise<void>((bound) => {
      socket.bind(0, "127.0.0.1", bound);
    });
    // A server that answers every query with "server failure".
    socket.on("message", (query, { port, address }) => {
      query.writeUInt16BE(0x81_82, 2);
      socket.send(query, port, address);
    });
    const text = await report({}, `127.0.0.1:${String(socket.address().port)}`);
    socket.close();
    expect(text).toContain("as of 2024-10-05: 3 action needed");
    expect(text).toMatch(
      /- saas\.example\.com: not read, CAA records: default\.forbids\.test \(queryCaa ESERVFAIL default\.forbids\.test\), /,
    );
    expect(text).toContain(
      "     chosen.allows.test: the lookup of chosen.allows.test failed (queryCaa ESERVFAIL chosen.allows.test); PATCH",
    );
  });

  test("lets a preview predict the fallback that the service then chooses", async () => {
    const ca = new ManagedResource<{ readonly effectiveCertificateAuthority: string }>("CustomHostnameCa", service);
    const choice = { zoneId, hostname: "default.forbids.test", certificateAuthority: "" };
    const run = { resolveCaa: caaResolver(askDns(server)) };
    const { warnings } = await ca.preview(choice, run);
    expect(warnings.join()).toContain("a CAA record of forbids.test does not allow Google Trust Services");
    expect(warnings.join()).toContain("falls back to Let's Encrypt");
    await ca.up(choice, run);
    expect(ca.kept?.state.effectiveCertificateAuthority).toBe("lets_encrypt");
  });

  test("refuses a DNS server that is no address", () => {
    expect(() => caaLookups({ dnsServer: "dns.example.com" }, {})).toThrow(
      "--dns-server must be the IP address of a DNS server, such as 1.1.1.1 or 127.0.0.1:5353.",
    );
    expect(() => caaLookups({}, { RULESETS_DNS_SERVER: "x" })).toThrow("RULESETS_DNS_SERVER");
    for (const address of ["1.1.1.1", "127.0.0.1:5353", "::1", "[::1]:53", "2606:4700:4700::1111"])
      expect(caaLookups({ dnsServer: address }, {})).toBeDefined();
  });
});
