import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type EmulatorOptions, type Seed } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const phase = "http_request_firewall_custom";
const old = (more: object = {}): Seed => ({ zones: [{ name: "old.example.com", previousWaf: more }] });
const block = (expression: string) => ({ action: "block", expression });

let stateFile: string;
beforeEach(() => {
  stateFile = join(temporaryFolder(), "state");
});

/** Starts on the state file, runs `work`, and stops. */
async function session<T>(
  work: (service: Service, zone: string) => Promise<T>,
  options: EmulatorOptions = {},
): Promise<T> {
  const emulator = await startEmulator({ stateFile, ...options });
  try {
    const service = new Service(emulator);
    return await work(service, `/zones/${await service.zone()}`);
  } finally {
    await emulator.close();
  }
}
const status = (service: Service, zone: string): Promise<{ migration_state: string }> =>
  service.ask("GET", `${zone}/waf_migration/status`);
const finish = async (service: Service, zone: string, query = ""): Promise<void> => {
  const config = await service.ask("GET", `${zone}/waf_migration/config?phase_two=1`);
  const entrypoint = `${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  await service.ask("PUT", `${entrypoint}?waf_migration=pending&phase_two=1${query}`, config);
};

describe("a state file keeps", () => {
  test("the tokens of its seed, one of which the emulator names", async () => {
    const seed: Seed = { zones: [{ name: "a.example.com" }], tokens: [{ value: "seeded-token", access: "write" }] };
    for (const options of [{ stateFile, seed }, { stateFile }]) {
      const emulator = await startEmulator(options);
      expect(emulator.token).toBe("seeded-token");
      await emulator.close();
    }
    const open = await startEmulator();
    expect(open.token).toBeUndefined();
    await open.close();
  });

  test("zones in less than a kilobyte each, as long as nothing is in them", async () => {
    const zones = Array.from({ length: 1000 }, (_, index) => ({ name: `Zone-${String(index)}.example.com` }));
    await session(
      async (service) => {
        expect(await service.ask("GET", "/zones?name=zone-999.EXAMPLE.com")).toMatchObject([
          { name: zones[999]?.name },
        ]);
        expect(await service.ask("GET", "/zones?name=zone-1000.example.com")).toEqual([]);
        expect(await service.ask("GET", "/zones?name=zone-9.example.com&status=pending")).toEqual([]);
        expect(await service.ask("GET", "/zones?name=zone-9.example.com&status=active&match=any")).toHaveLength(20);
      },
      { seed: { zones } },
    );
    expect(statSync(stateFile).size / zones.length).toBeLessThan(1000);
    await session(async (service, zone) => {
      expect(await service.ask("GET", `${zone}/waf_migration/status`)).toMatchObject({ migration_state: "complete" });
      expect(await service.ask("GET", `${zone}/ssl/certificate_packs`)).toHaveLength(1);
      await service.configureCertificates(zone.slice(7), { hostnameQuota: 3 });
      expect(await service.ask("GET", `${zone}/custom_hostnames/quota`)).toMatchObject({ allocated: 3 });
    });
  });

  test("the universal pack of a zone, whether it was changed or not", async () => {
    const types = async (service: Service, zone: string) => {
      const path = `${zone}/ssl/certificate_packs?status=all`;
      const packs = await service.ask<{ id: string; type: string }[]>("GET", path);
      return packs.map(({ id, type }) => ({ id, type }));
    };
    const before = await session(async (service, zone) => {
      const [universal, ...more] = await types(service, zone);
      expect([universal?.type, more]).toEqual(["universal", []]);
      const { name } = await service.ask<{ name: string }>("GET", zone);
      const order = { type: "advanced", hosts: [name], validation_method: "txt", validity_days: 90 };
      await service.ask("POST", `${zone}/ssl/certificate_packs/order`, { ...order, certificate_authority: "google" });
      const both = await types(service, zone);
      expect(both).toEqual([universal, { id: expect.any(String) as string, type: "advanced" }]);
      await service.ask("DELETE", `${zone}/ssl/certificate_packs/${both[1]?.id ?? ""}`);
      return types(service, zone);
    });
    await session(async (service, zone) => {
      expect(await types(service, zone)).toEqual(before);
    });
  });

  test("that a seed lists no packs", async () => {
    const seed: Seed = { zones: [{ name: "a.example.com", certificates: { packs: [] } }] };
    for (const options of [{ seed }, {}])
      await session(async (service, zone) => {
        expect(await service.ask("GET", `${zone}/ssl/certificate_packs?status=all`)).toEqual([]);
      }, options);
  });

  test("rulesets with every version", async () => {
    const created = await session(async (service, zone) => {
      const path = `${zone}/rulesets/phases/${phase}/entrypoint`;
      await service.ask("PUT", path, { rules: [block("ssl")] });
      await service.ask("PUT", path, { rules: [block("not ssl"), block("ssl")] });
      return service.ask<{ id: string }>("GET", path);
    });
    await session(async (service, zone) => {
      expect(await service.ask("GET", `${zone}/rulesets/phases/${phase}/entrypoint`)).toEqual(created);
      expect(await service.ask("GET", `${zone}/rulesets/${created.id}/versions`)).toHaveLength(2);
      const next = await service.ask<{ id: string }>("POST", `${zone}/rulesets`, { name: "n", kind: "custom", phase });
      expect(next.id).not.toBe(created.id);
    });
  });

  test("what is written after a reset", async () => {
    await session(async (service, zone) => {
      await service.ask("PUT", `${zone}/rulesets/phases/${phase}/entrypoint`, { rules: [] });
      await service.reset({ zones: [{ name: "fresh.example.com" }] });
      const fresh = `/zones/${await service.zone()}`;
      await service.ask("PUT", `${fresh}/rulesets/phases/${phase}/entrypoint`, { rules: [block("ssl")] });
    });
    await session(async (service, zone) => {
      expect(await service.ask("GET", zone)).toMatchObject({ name: "fresh.example.com" });
      expect((await service.entrypoint(zone.slice(7), phase))?.rules).toMatchObject([{ expression: "ssl" }]);
    });
  });

  test("a migration that advances when it is read", async () => {
    await session(
      async (service, zone) => {
        await finish(service, zone);
        await status(service, zone);
        await status(service, zone);
      },
      { seed: old({ progression: { reads: 3 } }) },
    );
    for (const states of [["pending", "complete"], ["complete"]])
      await session(async (service, zone) => {
        for (const migration_state of states) expect(await status(service, zone)).toMatchObject({ migration_state });
      });
  });

  test("a hostname's certificate that advances when it is read", async () => {
    const seed = { zones: [{ name: "a.example.com", certificates: { pace: { reads: 1 } } }] };
    const id = await session(
      async (service, zone) => {
        const ssl = { method: "txt", type: "dv" };
        const body = { hostname: "a.test", ssl };
        const created = await service.ask<{ id: string }>("POST", `${zone}/custom_hostnames`, body);
        for (let reads = 0; reads < 3; reads += 1) await service.ask("GET", `${zone}/custom_hostnames/${created.id}`);
        return created.id;
      },
      { seed },
    );
    await session(async (service, zone) => {
      for (const status of ["pending_deployment", "active"])
        expect(await service.ask("GET", `${zone}/custom_hostnames/${id}`)).toMatchObject({ ssl: { status } });
    });
  });

  test("what the control API changed: the clock, the previous WAF, certificates", async () => {
    await session(
      async (service, zone) => {
        await service.setPreviousWaf(zone.slice(7), { state: "validation" });
        await service.configureCertificates(zone.slice(7), { hostnameQuota: 0 });
        await service.advanceClock(365 * 86_400);
      },
      { seed: old() },
    );
    await session(async (service, zone) => {
      expect(await status(service, zone)).toMatchObject({ migration_state: "validation" });
      await expect(service.ask("POST", `${zone}/custom_hostnames`, { hostname: "a.test" })).rejects.toThrow("1404");
      const created = await service.create(zone.slice(1), { name: "n", kind: "custom", phase });
      const [version] = await service.ask<{ last_updated: string }[]>("GET", `${zone}/rulesets/${created.id}/versions`);
      expect(Date.parse(version?.last_updated ?? "")).toBeGreaterThan(Date.now() + 364 * 86_400_000);
    });
  });

  test("nothing from a dry run", async () => {
    await session((service, zone) => finish(service, zone, "&dry_run=true"), { seed: old() });
    await session(async (service, zone) => {
      expect(await status(service, zone)).toMatchObject({ migration_state: "start" });
      expect(await service.entrypoint(zone.slice(7), "http_request_firewall_managed")).toBeUndefined();
    });
  });

  test("the configured number of versions, the latest ones", async () => {
    const versions = async (service: Service, zone: string): Promise<string[]> => {
      const path = `${zone}/rulesets/phases/${phase}/entrypoint`;
      const list = await service.ask<{ version: string }[]>("GET", `${path}/versions`);
      return list.map(({ version }) => version);
    };
    await session(
      async (service, zone) => {
        for (const expression of ["ssl", "not ssl", "true", "ssl"])
          await service.ask("PUT", `${zone}/rulesets/phases/${phase}/entrypoint`, { rules: [block(expression)] });
        expect(await versions(service, zone)).toEqual(["3", "4"]);
      },
      { keep: { versions: 2 } },
    );
    await session(async (service, zone) => {
      expect(await versions(service, zone)).toEqual(["3", "4"]);
    });
  });
});

test("a write costs the same however much is stored", async () => {
  const grown: number[] = [];
  await session(
    async (service, zone) => {
      const size = (): number => statSync(`${stateFile}-wal`).size;
      for (let count = 0; count < 90; count += 1) {
        const before = size();
        await service.ask("POST", `${zone}/custom_hostnames`, { hostname: `host-${String(count)}.test` });
        grown.push(size() - before);
      }
    },
    { seed: { zones: [{ name: "a.example.com" }] } },
  );
  const sum = (list: readonly number[]): number => list.reduce((total, each) => total + each, 0);
  expect(sum(grown.slice(-20))).toBeLessThan(1.5 * sum(grown.slice(0, 20)));
});

test("the log of requests is limited, and keeps the latest ones", async () => {
  await session(
    async (service, zone) => {
      for (const page of ["1", "2", "3", "4", "5"]) await service.ask("GET", `${zone}/custom_hostnames?page=${page}`);
      await service.forget();
      const emulator = service.emulator.url;
      for (const query of ["a", "b", "c", "d", "e", "f"]) await fetch(`${emulator}/zones?name=${query}`);
      expect(await service.queries()).toEqual(["GET /zones?name=e", "GET /zones?name=f"]);
    },
    { keep: { requests: 2 } },
  );
});

describe("the emulator refuses to start on a state file", () => {
  const refusal = () => failureOf(startEmulator({ stateFile }).then((emulator) => emulator.close()));
  test("that is something else", async () => {
    writeFileSync(stateFile, "hello");
    expect(await refusal()).toContain("is not a state file of the emulator");
    writeFileSync(stateFile, '{"name":"a program"}');
    expect(await refusal()).toContain("is not a state file of the emulator");
    expect(readFileSync(stateFile, "utf8")).toBe('{"name":"a program"}');
  });
  test("that cannot be written", async () => {
    stateFile = join(stateFile, "missing", "state");
    expect(await refusal()).toContain(`${stateFile} cannot be written`);
    stateFile = tmpdir();
    expect(await refusal()).toContain(`${stateFile} cannot be written`);
  });
  test("that another emulator uses, which is not affected", async () => {
    await session(async (service, zone) => {
      expect(await refusal()).toContain("is in use by another emulator");
      await service.ask("PUT", `${zone}/rulesets/phases/${phase}/entrypoint`, { rules: [] });
    });
    expect(await refusal()).toBe("it did not fail");
  });
  test("and leaves none behind when it cannot start", async () => {
    const first = await startEmulator();
    await expect(startEmulator({ stateFile, port: first.port })).rejects.toThrow("EADDRINUSE");
    await first.close();
    await session(() => Promise.resolve());
    expect(existsSync(`${stateFile}-wal`)).toBe(false);
  });
});
