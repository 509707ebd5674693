import type { RuleState } from "../../provider/kinds/rulesets/rule/description.js";
import type { ListState } from "../../provider/kinds/lists/description.js";
import type { RulesetState } from "../../provider/kinds/rulesets/description.js";
import type { Seed } from "../../emulator/index.js";
import { KINDS } from "../../provider/kinds/index.js";
import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import type { StoredResource } from "./managed.js";
import { lifecycleWithEvents as lifeOf, type LifecycleEvents, type Steps } from "./steps.js";

/*
 * The whole life of each kind: the messages of a preview, the requests and the state of an up, and changes by others.
 * A new kind gets a table here.
 */

const covered = new Set<string>();
function life(kind: string, steps: Steps, events: LifecycleEvents, seed?: Seed): void {
  covered.add(kind);
  lifeOf(kind, steps, events, seed);
}

const NAME = "shop.customer.test";
const saas = {
  zones: [
    {
      name: "saas.example.com",
      certificates: {
        hostnames: [{ hostname: NAME, certificateAuthority: "lets_encrypt" }],
        totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
        pace: "at-once",
      },
    },
  ],
} as const;
const phase = "http_request_firewall_custom";
const stateOf = ({ state }: { readonly state: unknown }) => state as RulesetState;
const hostnameOf = async (service: Service, zoneId: string): Promise<string> => {
  const [found] = await service.ask<{ id: string }[]>("GET", `/zones/${zoneId}/custom_hostnames`);
  return found?.id ?? "";
};
const placeOf = ({ id }: { readonly id: string }): string => id.split("/").slice(0, 2).join("/");
/** Someone else disables the first rule of a ruleset. */
const disableFirst = (service: Service, kept: StoredResource<unknown>): Promise<unknown> => {
  const { rulesetId, deployedRules } = stateOf(kept);
  const off = { ...block("A", "ssl"), enabled: false };
  return service.editRule(placeOf(kept), rulesetId, deployedRules[0]?.id ?? "", off);
};

life(
  "PhaseEntrypoint",
  ({ zoneId }) => [
    {
      inputs: { zoneId, phase, rules: [block("A", "ssl")] },
      expect: "create",
      says: [],
      requests: ["GET /rulesets", "POST /rulesets"],
      state: { phase, version: "1" },
    },
    {
      inputs: { zoneId, phase, rules: [block("A", "not ssl")] },
      expect: "update",
      says: [
        expect.stringContaining(
          "this change lets requests through that were stopped, and stops requests that were not",
        ),
      ],
      counts: "+0 ~1 (expression) -0, 0 unchanged",
      requests: [`GET /rulesets/phases/${phase}/entrypoint`, "PUT /rulesets/<id>"],
      state: { version: "2" },
    },
  ],
  {
    drift: {
      by: disableFirst,
      shows: { state: { version: "2" } },
      expect: "update",
    },
    gone: (service, kept) => service.delete(placeOf(kept), stateOf(kept).rulesetId),
    lost: "POST",
    delete: ["GET", "PUT"],
  },
);

life(
  "Ruleset",
  ({ accountId }) => [
    {
      inputs: { accountId, kind: "custom", name: "one", phase, rules: [block("A", "ssl")] },
      expect: "create",
      says: [],
      requests: ["GET /rulesets", "POST /rulesets"],
      state: { name: "one", version: "1" },
    },
    {
      inputs: { accountId, kind: "custom", name: "two", phase, rules: [block("A", "ssl")] },
      expect: "replace",
      state: { name: "two", version: "1" },
    },
  ],
  {
    drift: {
      by: disableFirst,
      shows: { state: { version: "2" } },
      expect: "update",
    },
    gone: (service, kept) => service.delete(placeOf(kept), stateOf(kept).rulesetId),
    lost: "POST",
    delete: ["GET", "DELETE"],
  },
);

const ruleState = ({ state }: { readonly state: unknown }) => state as RuleState;
life(
  "RulesetRule",
  ({ zoneId }) => [
    {
      inputs: { zoneId, phase, ref: "a", action: "block", expression: "ssl" },
      expect: "create",
      says: [expect.stringContaining("this change stops requests that were not stopped:\n  GET ")],
      requests: [`GET /rulesets/phases/${phase}/entrypoint`, "POST /rulesets"],
      state: { phase, ref: "a", version: "1" },
    },
    {
      inputs: { zoneId, phase, ref: "a", action: "block", expression: "not ssl" },
      expect: "update",
      says: [expect.stringContaining("lets requests through that were stopped")],
      requests: [`GET /rulesets/phases/${phase}/entrypoint`, "PATCH /rulesets/<id>/rules/<id>"],
      state: { ref: "a", version: "2" },
    },
    {
      inputs: { zoneId, phase, ref: "b", action: "block", expression: "not ssl" },
      expect: "replace",
      state: { ref: "b", version: "1" },
    },
  ],
  {
    drift: {
      by: (service, kept) => {
        const { rulesetId, ruleId } = ruleState(kept);
        return service.editRule(placeOf(kept), rulesetId, ruleId, {
          action: "block",
          expression: "ssl",
          enabled: false,
        });
      },
      shows: { inputs: { enabled: false }, state: { version: "2" } },
      expect: "update",
    },
    gone: (service, kept) => service.deleteRule(placeOf(kept), ruleState(kept).rulesetId, ruleState(kept).ruleId),
    lost: "POST",
    delete: ["GET", "DELETE"],
  },
);

const OLD = "old.example.com";
life(
  "ZoneWafMigration",
  ({ zoneId }) => [
    {
      inputs: { zoneId, mode: "validation" },
      expect: "create",
      says: [expect.stringContaining(OLD)],
      state: { phase: "validation", previousWaf: "enabled", newWaf: "enabled" },
    },
    {
      inputs: { zoneId, mode: "pending", acknowledgeIrreversible: OLD },
      expect: "update",
      state: { phase: "finished", previousWaf: "disabled", newWaf: "enabled" },
    },
  ],
  {
    lost: "PUT",
    delete: /cannot be undone/,
  },
  { zones: [{ name: OLD, previousWaf: {} }] },
);

life(
  "CustomHostnameCa",
  async ({ zoneId }, service) => {
    const customHostnameId = await hostnameOf(service, zoneId);
    const byName = { zoneId, hostname: NAME, certificateAuthority: "google" };
    const byId = { zoneId, customHostnameId, certificateAuthority: "google" };
    return [
      {
        inputs: byName,
        expect: "create",
        says: [
          `${NAME}: from Let's Encrypt to Google Trust Services; its certificate is validated again and reissued (now active)`,
        ],
        requests: ["GET", "PATCH"],
        state: {
          customHostnameId,
          effectiveCertificateAuthority: "google",
          previousCertificateAuthority: "lets_encrypt",
        },
      },
      { inputs: byId, expect: "none", requests: [], state: { hostname: NAME } },
      { inputs: { ...byId, onDelete: "restore" }, expect: "update", requests: [], state: { onDelete: "restore" } },
      { inputs: { ...byId, validationTimeoutSeconds: 5 }, expect: "update", requests: [], state: { hostname: NAME } },
      {
        inputs: { ...byId, method: "http" },
        expect: "update",
        requests: ["GET", "PATCH"],
        state: { __method: "http" },
      },
      {
        inputs: { ...byName, certificateAuthority: "ssl_com" },
        expect: "update",
        requests: ["GET", "PATCH"],
        state: { effectiveCertificateAuthority: "ssl_com", previousCertificateAuthority: "lets_encrypt" },
      },
      {
        inputs: { ...byName, certificateAuthority: "" },
        expect: "update",
        requests: ["GET", "PATCH"],
        state: { certificateAuthority: "", effectiveCertificateAuthority: "google" },
      },
    ];
  },
  {
    drift: {
      by: async (service, { id, state }) => {
        const path = `/${placeOf({ id })}/custom_hostnames/${(state as { customHostnameId: string }).customHostnameId}`;
        await service.ask("PATCH", path, { ssl: { method: "txt", type: "dv", certificate_authority: "ssl_com" } });
      },
      shows: {
        inputs: { certificateAuthority: "ssl_com" },
        state: { effectiveCertificateAuthority: "ssl_com" },
      },
      expect: "update",
    },
    gone: (service, { id, state }) =>
      service.ask(
        "DELETE",
        `/${placeOf({ id })}/custom_hostnames/${(state as { customHostnameId: string }).customHostnameId}`,
      ),
    lost: "PATCH",
    delete: [],
  },
  saas,
);

life(
  "CustomHostnameCertificate",
  async ({ zoneId }, service) => {
    const customHostnameCaId = `zones/${zoneId}/custom-hostnames/${await hostnameOf(service, zoneId)}/certificate-authority`;
    const state = { customHostnameCaId, hostname: NAME, sslStatus: "active", certificateAuthority: "lets_encrypt" };
    return [
      { inputs: { customHostnameCaId }, expect: "create", requests: ["GET"], state },
      { inputs: { customHostnameCaId, timeoutSeconds: 60 }, expect: "update", requests: ["GET"], state },
      { inputs: { customHostnameCaId }, expect: "update", requests: ["GET"], state },
    ];
  },
  {
    gone: async (service, { id }) =>
      service.ask("DELETE", `/${placeOf({ id })}/custom_hostnames/${id.split("/")[3] ?? ""}`),
    delete: [],
  },
  saas,
);

life(
  "TotalTlsCa",
  ({ zoneId }) => [
    {
      inputs: { zoneId, certificateAuthority: "google" },
      expect: "create",
      requests: ["GET", "GET", "POST"],
      state: { enabled: true, previousCertificateAuthority: "lets_encrypt" },
    },
    {
      inputs: { zoneId, certificateAuthority: "google", onDelete: "restore" },
      expect: "update",
      requests: [],
      state: { onDelete: "restore" },
    },
    {
      inputs: { zoneId, certificateAuthority: "ssl_com" },
      expect: "update",
      requests: ["GET", "POST"],
      state: { certificateAuthority: "ssl_com", previousCertificateAuthority: "lets_encrypt" },
    },
  ],
  {
    drift: {
      by: (service, kept) =>
        service.ask("POST", `/${placeOf(kept)}/acm/total_tls`, { enabled: true, certificate_authority: "ssl_com" }),
      shows: { inputs: { certificateAuthority: "ssl_com" } },
      expect: "update",
    },
    lost: "POST",
    delete: [],
  },
  saas,
);

const listState = ({ state }: { readonly state: unknown }) => state as ListState;
const itemsPath = (kept: StoredResource<unknown>): string =>
  `/accounts/${listState(kept).accountId}/rules/lists/${listState(kept).listId}/items`;
life(
  "RulesList",
  ({ accountId }) => {
    const office = { accountId, name: "office", kind: "ip" };
    return [
      {
        inputs: { ...office, items: ["192.0.2.0/24", { value: "198.51.100.7", comment: "Berlin" }] },
        expect: "create",
        says: [],
        counts: "+2 ~0 -0, 0 unchanged",
        requests: ["GET", "POST", "POST", "GET"],
        state: { size: 2, items: { "192.0.2.0/24": "", "198.51.100.7": "Berlin" } },
      },
      // Neither the order nor the notation is a difference.
      {
        inputs: { ...office, items: [{ value: "198.51.100.7/32", comment: "Berlin" }, "192.0.2.9/24"] },
        expect: "none",
        requests: [],
      },
      {
        inputs: { ...office, items: [{ value: "198.51.100.7", comment: "Bonn" }, "192.0.2.0/24", "2001:DB8::/32"] },
        expect: "update",
        says: [],
        counts: "+1 ~1 -0, 1 unchanged",
        requests: ["GET", "POST", "GET"],
        state: { size: 3 },
      },
      {
        inputs: { ...office, items: ["192.0.2.0/24", "2001:db8::/32"] },
        expect: "update",
        says: [],
        counts: "+0 ~0 -1, 2 unchanged",
        requests: ["GET", "DELETE", "GET"],
        state: { size: 2 },
      },
      {
        inputs: { ...office, items: ["203.0.113.1"], description: "Offices" },
        expect: "update",
        requests: ["GET", "PUT", "PUT", "GET"],
        state: { size: 1, items: { "203.0.113.1": "" } },
      },
    ];
  },
  {
    drift: {
      by: async (service, kept) => {
        await service.ask("PUT", itemsPath(kept), [{ ip: "192.0.2.0/24", comment: "mine" }]);
      },
      shows: { inputs: { items: { "192.0.2.0/24": "mine" } } },
      expect: "update",
    },
    gone: (service, kept) => service.ask("DELETE", itemsPath(kept).replace(/\/items$/, "")),
    // An item that is written as it is waits for changes of others.
    delete: ["GET", "GET", "POST", "GET", "GET", "DELETE"],
  },
);

test("every kind of resource has a life here", () => {
  expect([...covered].sort()).toEqual(Object.keys(KINDS).sort());
});
