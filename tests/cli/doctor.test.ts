import { delimiter, dirname } from "node:path";
import { credentialResults } from "../../tools/cli/doctor/credentials.js";
import { catalogueResult, machineResults, type MachineFacts } from "../../tools/cli/doctor/machine.js";
import { clockResults, quotaResults } from "../../tools/cli/doctor/service.js";
import { satisfies } from "../../core/model/software-version.js";
import type { Emulator, Seed } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { cli, folder, type Finished } from "./support.js";
import { emulatorWith } from "../support/emulators.js";

const facts: MachineFacts = {
  node: "22.4.0",
  packageVersion: "0.1.0",
  needs: { node: ">=22", sdk: "^3.216.0" },
  sdk: "3.270.0",
  installed: "0.1.0",
  engine: { version: "v3.259.0" },
  network: {},
};
const lineOf = (subject: string, change: Partial<MachineFacts>) =>
  machineResults({ ...facts, ...change }).find((line) => line.subject === subject);

test.each([
  ["22.0.0", ">=22", true],
  ["21.9.9", ">=22", false],
  ["24.1.0", ">=22", true],
  ["3.216.0", "^3.216.0", true],
  ["3.215.9", "^3.216.0", false],
  ["3.300.1", "^3.216.0", true],
  ["4.0.0", "^3.216.0", false],
])("whether version %s is in the range %s: %p", (version, range, expected) => {
  expect(satisfies(version, range)).toBe(expected);
});

test("the catalogue of the rules language has a date, and is reported once it is half a year old", () => {
  const at = (day: string) => catalogueResult(Date.parse(day));
  expect(at("2026-11-25")).toMatchObject({ status: "ok", found: "its catalogue is of 2026-10-10" });
  expect(at("2027-04-10")).toMatchObject({ status: "ok" });
  expect(at("2027-04-12")).toMatchObject({
    status: "warning",
    found:
      "the catalogue of the rules language is of 2026-10-10, more than half a year ago: newer fields, functions and values are unknown",
    next: "use a newer version of pulumi-rulesets",
  });
});

describe("the installed software", () => {
  test("passes every check when it is complete", () => {
    expect(machineResults(facts).map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
  });

  test.each<[string, Partial<MachineFacts>, string, string]>([
    ["Node.js", { node: "20.1.0" }, "failure", "install Node.js >=22"],
    ["pulumi-rulesets", { installed: "0.0.9" }, "warning", "npx pulumi-rulesets doctor"],
    ["Pulumi SDK", { sdk: "3.100.0" }, "failure", 'npm install @pulumi/pulumi@"^3.216.0"'],
    ["Pulumi command", { engine: { failure: "`pulumi` is not on the PATH" } }, "failure", "install it"],
    ["Pulumi command", { engine: { version: "v3.100.0" } }, "warning", "^3.216.0"],
    ["TLS", { network: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } }, "failure", "NODE_EXTRA_CA_CERTS"],
  ])("%s with %j: %s", (subject, change, status, next) => {
    const line = lineOf(subject, change);
    expect(line?.status).toBe(status);
    expect(line?.next).toContain(next);
  });

  test("is reported with the proxy, without its password", () => {
    const line = lineOf("Proxy", { network: { HTTPS_PROXY: "http://user:hunter2@proxy:3128", NO_PROXY: "localhost" } });
    expect(line?.found).toBe("HTTPS_PROXY=http://proxy:3128, not for localhost");
  });
});

describe("credentials", () => {
  test("that are unused are listed, and none is shown", () => {
    const settings = {
      credentials: { kind: "token", apiToken: "hunter2" },
      source: "the token in environment variable RULESETS_API_TOKEN",
    } as const;
    const lines = credentialResults({ settings, variables: ["RULESETS_API_TOKEN", "CLOUDFLARE_API_KEY"], stacks: [] });
    expect(lines.map(({ found }) => found)).toEqual([
      "uses the token in environment variable RULESETS_API_TOKEN",
      "CLOUDFLARE_API_KEY is also set, but ignored",
    ]);
    expect(JSON.stringify(lines)).not.toContain("hunter2");
  });

  test("in plain text in a stack are a failure", () => {
    const stacks = [{ stack: "prod", encrypted: [], clear: ["rulesets:apiToken"] }];
    const lines = credentialResults({ settings: {}, variables: [], stacks });
    const next = "revoke it, and set a new one: pulumi config set --secret rulesets:apiToken --stack prod";
    expect(lines).toMatchObject([{ subject: "Stack prod", status: "failure", next }]);
    const none = credentialResults({ settings: {}, variables: [], stacks: [] });
    expect(none).toMatchObject([{ subject: "Environment", status: "warning" }]);
  });
});

describe("checks on responses", () => {
  const date = "Sun, 22 Nov 2026 05:00:00 GMT";
  const at = (seconds: number) => Date.parse(date) + seconds * 1000;
  test.each([
    [0, "ok"],
    [60, "ok"],
    [-60, "ok"],
    [61, "warning"],
    [-3600, "warning"],
  ])("a clock off by %d s: %s", (seconds, status) => {
    expect(clockResults({ responses: [{ status: 200, date, quotas: [] }], at: at(seconds) })).toMatchObject([
      { status },
    ]);
  });

  test("only the latest value of each rate limit counts", () => {
    const quota = (remaining: number) => ({
      name: '"default"',
      remaining,
      resetSeconds: 30,
      size: 1200,
      windowSeconds: 300,
    });
    const answers = [quota(1000), quota(100)].map((one) => ({ status: 200, quotas: [one] }));
    expect(quotaResults({ responses: answers, at: 0 })).toMatchObject([
      { status: "warning", found: "100 requests left of 1200 in 300 s; resets in 30 s" },
    ]);
  });
});

describe("the doctor command", () => {
  let emulator: Emulator;
  let service: Service;
  const start = async (seed: Seed = {}): Promise<void> => {
    emulator = await emulatorWith({ seed });
    service = new Service(emulator);
  };
  const doctor = (args: readonly string[], token = TOKEN, cwd?: string): Promise<Finished> => {
    // Hides a `pulumi` that is installed on this machine.
    const path = [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
    const env = { PATH: path, RULESETS_API_TOKEN: token, RULESETS_BASE_URL: emulator.url, CLOUDFLARE_API_TOKEN: "" };
    return cli(["doctor", ...args], env, ...(cwd === undefined ? [] : [cwd]));
  };

  test("checks what the token may do in a zone, with reads alone, of which it sends none twice", async () => {
    await start();
    const zoneId = await service.zone();
    await service.forget();
    const { stdout, stderr } = await doctor(["--zone", zoneId]);
    expect(stderr).toBe("");
    expect(stdout).toContain("The service, with the token in environment variable RULESETS_API_TOKEN\n");
    expect(stdout).toMatch(/ok {7}Token: active, does not expire/);
    expect(stdout).toMatch(/Rate limit .*: \d+ requests left of 1200 in 300 s/);
    expect(stdout).toMatch(
      /: read: list of rulesets, .*custom hostnames, Total TLS, .*http_ratelimit.*, certificate packs/,
    );
    expect(stdout).toMatch(/write: not checked\n.*rulesets:dryRun/);
    expect(stdout).not.toContain(TOKEN);
    const requests = await service.requests();
    expect(writesIn(requests)).toEqual([]);
    expect(new Set(requests).size).toBe(requests.length);
  });

  test("calls a token without a status in its verification neither active nor lasting", async () => {
    await start();
    await service.fault({ path: "/tokens/verify", body: { success: true, result: {}, errors: [], messages: [] } });
    const { code, stdout } = await doctor([]);
    expect([code, stdout]).toEqual([2, expect.stringMatching(/Token: the verification returned no status/)]);
    expect(stdout).not.toContain("does not expire");
  });

  test("checks whether the lists of an account can be read, and names the permission that is missing", async () => {
    await start();
    const account = await service.account();
    const { stdout } = await doctor(["--account", account]);
    expect(stdout).toMatch(/ok {7}account \w+: read: list of rulesets, lists, /);
    await service.fault({ method: "GET", path: "/rules/lists", status: 403, times: 2 });
    const denied = await doctor(["--account", account]);
    expect(denied.stdout).toMatch(/warning {2}account \w+: read lists: .*403.*\n.*"Account Rule Lists Read"/);
  });

  test("fails for a wrong token, a missing zone and a missing `pulumi`, and says what to do", async () => {
    await start({ tokens: [{ value: TOKEN }] });
    const wrong = await doctor([], "another-token-0123456789");
    expect(wrong.code).toBe(2);
    expect(wrong.stdout).toMatch(/failure {2}Token: .*401.*\n.*→ /);
    expect(wrong.stdout).toMatch(/failure {2}Pulumi command: `pulumi` is not on the PATH\n.*→ install it/);
    const missing = await doctor(["--zone", "nowhere.example.com"]);
    expect(missing.stdout).toMatch(/failure {2}nowhere\.example\.com: there is no zone/);
  });

  test("fails if there are no credentials to look at what was asked for", async () => {
    await start();
    const { code, stdout } = await doctor(["--zone", "shop.example.com", "--account", "a1"], "");
    expect(code).toBe(2);
    for (const subject of ["shop.example.com", "a1"])
      expect(stdout).toContain(`failure  ${subject}: not checked: there are no credentials`);
    expect(await service.requests()).toEqual([]);
  });

  test("finds credentials in stack settings", async () => {
    await start();
    const project = folder({
      "Pulumi.yaml": "name: shop\nruntime: nodejs\n",
      "Pulumi.dev.yaml": 'config:\n  rulesets:apiToken: "hunter2-in-clear"\n',
      "Pulumi.prod.yaml": "config:\n  rulesets:apiToken:\n    secure: AAABAB\n",
    });
    const { stdout } = await doctor([], TOKEN, project);
    expect(stdout).toMatch(/failure {2}Stack dev: contains rulesets:apiToken in plain text/);
    expect(stdout).toMatch(/ok {7}Stack prod: contains rulesets:apiToken, encrypted/);
    expect(stdout).not.toContain("hunter2");
  });

  test.each([["RULESETS_BASE_URL"], ["CLOUDFLARE_BASE_URL"], ["--base-url"]])(
    "an address without /client/v4 in %s is named, and a wrong one",
    async (name) => {
      await start();
      const run = (url: string) => {
        const none = { RULESETS_BASE_URL: "", CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_BASE_URL: "" };
        const env = { ...none, RULESETS_API_TOKEN: TOKEN, ...(name.startsWith("--") ? {} : { [name]: url }) };
        return cli(["doctor", ...(name.startsWith("--") ? [name, url] : [])], env);
      };
      const { code, stdout } = await run(emulator.url.replace("/client/v4", ""));
      expect(code).toBe(2);
      expect(stdout).toContain(`failure  Address: ${name} does not end with /client/v4: `);
      expect(stdout).toContain(`→ add /client/v4 to ${name}\n`);
      expect((await run("http://127.0.0.1:1/client/v4")).stdout).toContain(
        `→ check the network, the proxy and ${name}\n`,
      );
    },
  );

  test.each([403, 404])(
    "takes a page with status %d for nobody's answer: about no token and no permission",
    async (status) => {
      await start();
      const account = await service.account();
      await service.fault({ status, body: "<html>Sign in</html>", times: 99 });
      const { code, stdout } = await doctor(["--account", account]);
      expect(code).toBe(2);
      expect(stdout).toMatch(
        /failure {2}Address: GET .*Sign in.*\n.*→ check RULESETS_BASE_URL and any proxies in between/,
      );
      expect(stdout).not.toMatch(/check the token|ok {7}account|permission "/);
    },
  );

  test("reports an unreachable service once", async () => {
    await start();
    const unreachable = await cli(["doctor", "--json"], {
      RULESETS_API_TOKEN: TOKEN,
      RULESETS_BASE_URL: "http://127.0.0.1:1/client/v4",
    });
    expect(unreachable.code).toBe(2);
    const { lines } = JSON.parse(unreachable.stdout) as { lines: { area: string; status: string }[] };
    expect(lines.filter(({ area }) => area === "service")).toMatchObject([{ subject: "Address", status: "failure" }]);
  });
});
