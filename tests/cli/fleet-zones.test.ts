import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { cli, folder, type Finished } from "./support.js";
import { emulatorWith } from "../support/emulators.js";

const ACCOUNTS = { a: "a".repeat(32), b: "b".repeat(32) };
/** More than two pages of the list. */
const MANY = 120;

describe("the zones of a fleet", () => {
  let emulator: Emulator;
  let service: Service;
  beforeAll(async () => {
    emulator = await emulatorWith({
      seed: {
        accounts: [
          { id: ACCOUNTS.a, name: "A" },
          { id: ACCOUNTS.b, name: "B" },
        ],
        zones: [
          ...Array.from({ length: MANY }, (_, index) => ({
            name: `m${String(index)}.test`,
            account: "A",
          })),
          { name: "shop.test", account: "A", plan: "pro" as const },
          { name: "blog.test", account: "B" },
          { name: "bare.test", account: "B" },
        ],
      },
    });
    service = new Service(emulator);
  });
  beforeEach(() => service.forget());

  /** In capitals and small letters, as the service's tokens are. */
  const OTHER = "Aa0Bb1Cc2Dd3Ee4Ff5Gg6Hh7Ii8Jj9Kk0Ll1Mm2N";
  const plan = (zones: string, waves = "[{ name: all }]"): Promise<Finished> =>
    cli(
      ["fleet", "plan", "--shards-only", "--json"],
      { RULESETS_BASE_URL: emulator.url, CLOUDFLARE_API_TOKEN: TOKEN, A_TOKEN: OTHER },
      folder({ "fleet.yaml": `zones: ${zones}\nwaves: ${waves}\n` }),
    );
  const selected = async (zones: string): Promise<readonly string[]> => {
    const { code, stdout, stderr } = await plan(zones);
    if (code !== 0) throw new Error(stderr);
    const { shards } = JSON.parse(stdout) as { shards: { zones: { name: string }[] }[] };
    return shards.flatMap((shard) => shard.zones.map(({ name }) => name)).sort();
  };

  test("are read at the address of the project, and nowhere where only Pulumi knows it", async () => {
    const planIn = (project: string, settings: string) =>
      cli(
        ["fleet", "plan", "--shards-only", "--json"],
        // The address of a run without any other one.
        { RULESETS_BASE_URL: "", CLOUDFLARE_BASE_URL: emulator.url, CLOUDFLARE_API_TOKEN: TOKEN },
        folder({
          ...{ "Pulumi.yaml": `name: p\nruntime: nodejs\n${project}`, "Pulumi.fleet.yaml": settings },
          "fleet.yaml":
            "stacks: { settings: Pulumi.fleet.yaml }\nzones: { include: [shop.test] }\nwaves: [{ name: all }]\n",
        }),
      );
    for (const settings of ["config: { rulesets:baseUrl: { secure: v1:abc } }\n", "environment: [prod]\n"]) {
      const { code, stderr } = await planIn("", settings);
      expect([code, stderr]).toEqual([1, expect.stringContaining("To continue: pass --base-url")]);
    }
    const elsewhere = await planIn("config: { rulesets:baseUrl: http://127.0.0.1:9/client/v4 }\n", "config: {}\n");
    expect([elsewhere.code, elsewhere.stderr]).toEqual([3, expect.stringContaining("127.0.0.1:9")]);
    expect(await service.requests()).toEqual([]);
    expect((await planIn("", "config: {}\n")).code).toBe(0);
  });

  test("match every criterion: account, plan, name and the query of a command", async () => {
    expect(await selected(`{ accounts: [${ACCOUNTS.b}] }`)).toEqual(["bare.test", "blog.test"]);
    expect(await selected("{ plans: [pro], include: '*.test' }")).toEqual(["shop.test"]);
    expect(await selected("{ plans: [pro], command: \"printf 'shop.test\\nbare.test\\n'\" }")).toEqual(["shop.test"]);
  });

  test("are not taken for gone where the service lists none: the token may have lost them", async () => {
    for (const zones of [`{ accounts: [${ACCOUNTS.a}, ${ACCOUNTS.b}] }`, "{}"]) {
      const empty = { success: true, errors: [], messages: [], result: [] };
      await service.fault({ method: "GET", path: "/zones$", times: 1, body: empty });
      const { code, stderr } = await plan(zones);
      await service.noFaults();
      expect([code, stderr]).toEqual([3, expect.stringContaining("the service lists no zone")]);
      expect(stderr).toContain("To continue: plan again once the token can list them");
    }
  });

  test("are none rather than all when the command fails", async () => {
    expect(await plan('{ command: "exit 4" }')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("`exit 4`, the command of `zones`: it failed with exit code 4") as string,
    });
  });

  test.each([
    [
      "does not end",
      "echo waiting; sleep 600",
      /: it did not end within 1 second, and was ended: waiting\nTo continue: fix it, or give it/,
    ],
    ["is killed", "kill -9 $$", /: it was ended by SIGKILL\nTo continue: fix it\n/],
    [
      "prints rubbish",
      "echo shop.test; echo '(1 row)'",
      /: it printed "\(1 row\)", which is neither the name nor the ID/,
    ],
    ["prints a pattern", "echo '*'", /: it printed "\*", which is neither/],
    ["prints what is no text", "printf '\\377\\001'", /: it printed ".*", which is neither/],
    ["prints nothing", "true", /: it printed no zone/],
    ["prints without end", "yes", /: it printed more than 32,000,000 characters, and was ended/],
    ["prints a token", "echo $CLOUDFLARE_API_TOKEN >&2; exit 1", /: it failed with exit code 1: \[secret\]\n/],
    [
      "prints a token at the end of a long line",
      "printf '%090d ' 0; echo $A_TOKEN",
      /: it printed "0{90} \[secret\]", which/,
    ],
    [
      "prints a token before much else",
      "printf '%s %01960d' $A_TOKEN 0 >&2; exit 1",
      /: it failed with exit code 1: \[secret\] 0{1960}\n/,
    ],
  ])("are none rather than all when the command %s", async (_, command, why) => {
    const { code, stderr } = await plan(
      `{ command: ${JSON.stringify(command)}, timeout: ${/sleep/.test(command) ? "1s" : "1m"} }`,
    );
    expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
  });

  test("that a command prints and that do not exist are named without tokens", async () => {
    const { code, stderr } = await plan('{ command: "echo shop.test; echo Gone.test; echo $A_TOKEN" }');
    expect([code, stderr]).toEqual([
      0,
      "not in the fleet, although the command of `zones` prints it: Gone.test and [secret]\n",
    ]);
  });

  test("are found in what a command prints, however much it is, and in capitals", async () => {
    const many =
      'i=0; while [ $i -lt 20000 ]; do echo "$i.a-name-that-is-much-longer-than-most-names-of-zones-are.test"; i=$((i+1)); done';
    expect(await selected(`{ command: ${JSON.stringify(`${many}; printf ' Shop.test\\r\\n\\n'`)} }`)).toEqual([
      "shop.test",
    ]);
  });

  test("that a wave or the choice names and that do not exist are named: without its canaries, a rollout would begin with the rest", async () => {
    const canary = (zones: string): string => `[{ name: canary, zones: ${zones} }, { name: rest }]`;
    for (const zones of ["shpo.test", "[shop.test, shpo.test]", "blog.test"])
      expect(await plan("{ plans: [pro] }", canary(zones))).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /the wave canary names (shpo|blog)\.test, but no zone of the fleet has that name/,
        ) as string,
      });
    const { code, stderr } = await plan("{ include: [shop.test, shpo.test] }", canary("'s*.test'"));
    expect([code, stderr]).toEqual([
      0,
      "`zones.include` names shpo.test, but no zone that a token can access has that name\n",
    ]);
  });

  test("cannot be planned by an engine that does not begin, which says why", async () => {
    const path = folder({
      "fleet.yaml": "zones: { include: shop.test }\nwaves: [{ name: all }]\n",
      pulumi: '#!/bin/sh\nif [ "$1" = preview ]; then echo "{}"; echo "error: no language plugin" >&2; exit 1; fi\n',
    });
    chmodSync(join(path, "pulumi"), 0o755);
    const env = {
      RULESETS_BASE_URL: emulator.url,
      CLOUDFLARE_API_TOKEN: TOKEN,
      PATH: `${path}${delimiter}${process.env.PATH ?? ""}`,
    };
    const { code, stdout, stderr } = await cli(["fleet", "plan"], env, path);
    expect([code, stdout, stderr]).toEqual([
      3,
      expect.stringContaining("s001 could not be planned: `pulumi preview` failed: error: no language plugin"),
      "s001 (all): could not be planned\n",
    ]);
    expect(stdout).toMatch(/all +│ 1 +│ 1 +│/);
  });
});
