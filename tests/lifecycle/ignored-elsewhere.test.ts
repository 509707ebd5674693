import type { Emulator } from "../../emulator/index.js";
import { ignorableNames } from "../../provider/engine/description.js";
import { findKind, KINDS } from "../../provider/kinds/index.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { ManagedResource } from "./managed.js";

/* What `ignoreChanges` may name in the resources that are no rulesets. */

const NAME = "shop.example.com";
type Props = Readonly<Record<string, unknown>>;

/** The names that `ignoreChanges` of a kind may contain. */
function ignorable(kind: string): readonly string[] {
  const known = findKind(kind);
  return known === undefined ? [] : ignorableNames(known.description);
}

test("every kind of resource lists what its ignoreChanges may contain", () => {
  for (const kind of Object.keys(KINDS)) expect(ignorable(kind)).not.toEqual([]);
});

describe.each([
  ["CustomHostnameCa", { hostname: NAME, certificateAuthority: "google" }, { certificateAuthority: "ssl_com" }],
  ["CustomHostnameCa", { certificateAuthority: "google" }, { certificateAuthority: "ssl_com", onDelete: "restore" }],
  ["CustomHostnameCertificate", { timeoutSeconds: 5 }, { timeoutSeconds: 7 }],
  ["TotalTlsCa", { certificateAuthority: "google" }, { certificateAuthority: "ssl_com" }],
  ["ZoneWafMigration", { mode: "validation", wait: false }, { mode: "pending", acknowledgeIrreversible: true }],
] as const)("ignoreChanges of a %s %j", (kind, first, changed) => {
  let emulator: Emulator;
  let service: Service;
  let managed: ManagedResource<object>;
  let args: Props;
  beforeEach(async () => {
    const certificates = {
      hostnames: [{ hostname: NAME, certificateAuthority: "lets_encrypt", status: "active" }],
      totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
    };
    emulator = await freshEmulator({ seed: { zones: [{ name: "example.com", certificates, previousWaf: {} }] } });
    service = new Service(emulator);
    managed = new ManagedResource(kind, service);
    const zoneId = await service.zone();
    const [hostname] = await service.ask<{ id: string }[]>("GET", `/zones/${zoneId}/custom_hostnames`);
    const id = hostname?.id ?? "";
    const own =
      kind === "CustomHostnameCertificate"
        ? { customHostnameCaId: `zones/${zoneId}/custom-hostnames/${id}/certificate-authority` }
        : { zoneId, ...(kind === "CustomHostnameCa" && !("hostname" in first) ? { customHostnameId: id } : {}) };
    args = { ...own, ...first };
  });

  test('"*" ignores every change', async () => {
    await managed.up(args);
    const olds = managed.kept?.inputs as Props;
    // The engine restores every argument to its old value, and keeps what is sent next to them.
    const handedIn = ignorable(kind).flatMap((name) => (name in olds ? [[name, olds[name]] as const] : []));
    const ignoring = { ...Object.fromEntries(handedIn), __ignore: ["*"] };
    expect(await managed.up(ignoring)).toMatchObject({ action: "none", requests: [] });
    expect(managed.kept?.inputs).toEqual(olds);
  });

  test("the name of an argument ignores its changes", async () => {
    await managed.up(args);
    const [name = ""] = Object.keys(changed);
    const one = { ...args, [name]: (managed.kept?.inputs as Props)[name], __ignore: [name] };
    expect(await managed.up(one)).toMatchObject({ action: "none", requests: [] });
  });

  test.each([
    ["zonId", `ignoreChanges: ${kind} has no argument zonId`],
    ["report", `ignoreChanges: ${kind} has no argument report`],
    ["__urn", `ignoreChanges: ${kind} has no argument __urn`],
    ["toString", `ignoreChanges: ${kind} has no argument toString`],
    ["", 'ignoreChanges "" is not a path'],
    ["zoneId.", 'ignoreChanges "zoneId." is not a path'],
    ["zone id", 'ignoreChanges "zone id" is not a path'],
  ])("%j is refused", async (text, reason) => {
    await expect(managed.preview({ ...args, __ignore: [text] })).rejects.toThrow(reason);
  });
});

test("a path into the adjustments of a migration is left to the engine", async () => {
  const emulator = await freshEmulator({ seed: { zones: [{ name: "example.com", previousWaf: {} }] } });
  const service = new Service(emulator);
  const migration = new ManagedResource("ZoneWafMigration", service);
  const args = { zoneId: await service.zone(), mode: "validation", adjustments: { overrides: [{ action: "log" }] } };
  const ignored = ["adjustments.overrides[*].action", 'adjustments["overrides"]', "mode"];
  expect((await migration.up({ ...args, __ignore: ignored })).action).toBe("create");
});
