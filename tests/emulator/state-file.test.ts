import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Seed } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";

const seed: Seed = {
  zones: [
    {
      name: "old.example.com",
      previousWaf: { overrides: [{ urls: ["a"], rules: {} }], progression: { seconds: 3600 } },
      certificates: { hostnames: [{ hostname: "a.customer.test" }] },
    },
  ],
};

test("migrations and certificates are kept across a restart, and files of older versions are read", async () => {
  const stateFile = join(mkdtempSync(join(tmpdir(), "pulumi-rulesets-state-")), "state.json");
  const first = await startEmulator({ seed, stateFile });
  const service = new Service(first);
  const zone = `/zones/${await service.zone()}`;
  const [override] = await service.ask<{ id: string }[]>("GET", `${zone}/firewall/waf/overrides`);
  await service.ask("DELETE", `${zone}/firewall/waf/overrides/${override?.id ?? ""}`);
  const [hostname] = await service.ask<{ id: string }[]>("GET", `${zone}/custom_hostnames`);
  const ssl = { method: "http", type: "dv", certificate_authority: "ssl_com" };
  await service.ask("PATCH", `${zone}/custom_hostnames/${hostname?.id ?? ""}`, { ssl });
  const config = await service.ask("GET", `${zone}/waf_migration/config?phase_two=1`);
  const entrypoint = `${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  await service.ask("PUT", `${entrypoint}?waf_migration=pending&phase_two=1`, config);
  await first.close();

  const second = await startEmulator({ stateFile });
  const again = new Service(second);
  expect(await again.ask("GET", `${zone}/waf_migration/status`)).toMatchObject({ migration_state: "pending" });
  expect(await again.ask("GET", `${zone}/firewall/waf/overrides`)).toEqual([]);
  expect(await again.ask("GET", `${zone}/custom_hostnames`)).toMatchObject([
    { ssl: { method: "http", certificate_authority: "ssl_com" } },
  ]);
  await second.close();

  // What a version without migrations and certificates wrote.
  const {
    previousWafs: _wafs,
    certificates: _certificates,
    ...older
  } = JSON.parse(readFileSync(stateFile, "utf8")) as Record<string, unknown>;
  writeFileSync(stateFile, JSON.stringify(older));
  const third = await startEmulator({ stateFile });
  const fresh = new Service(third);
  expect(await fresh.ask("GET", `${zone}/waf_migration/status`)).toMatchObject({ migration_state: "start" });
  expect(await fresh.ask("GET", `${zone}/custom_hostnames`)).toHaveLength(1);
  await third.close();
});

test("a dry run of a step moves no zone", async () => {
  const emulator = await startEmulator({ seed: { zones: [{ name: "old.example.com", previousWaf: {} }] } });
  const service = new Service(emulator);
  const zone = `/zones/${await service.zone()}`;
  const config = await service.ask("GET", `${zone}/waf_migration/config?phase_two=1`);
  const entrypoint = `${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  await service.ask("PUT", `${entrypoint}?waf_migration=pending&phase_two=1&dry_run=true`, config);
  expect(await service.ask("GET", `${zone}/waf_migration/status`)).toMatchObject({ migration_state: "start" });
  await emulator.close();
});
