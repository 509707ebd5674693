import type { Emulator } from "../../emulator/index.js";
import { Caller } from "../support/caller.js";
import { Service } from "../support/emulator.js";
import documented from "./documented-rules.json";
import { emulatorWith } from "../support/emulators.js";

interface Rule {
  readonly id: string;
  readonly ref: string;
  readonly action: string;
}
interface Saved {
  readonly rules: readonly Rule[];
}

/** What the service adds to the rules of the examples. */
const ADDED: Readonly<Record<string, object>> = {
  skip: { logging: { enabled: true } },
  execute: { action_parameters: { version: "latest" } },
};

/**
 * Rules as the examples of https://developers.cloudflare.com have them, by page: their fields and parameters, with other names,
 * hosts and paths. `CUSTOM` is a custom ruleset of the account.
 */
describe("rules of the documentation", () => {
  let emulator: Emulator;
  let caller: Caller;
  let account: string;
  let zone: string;
  beforeAll(async () => {
    emulator = await emulatorWith();
    caller = new Caller(emulator);
    const service = new Service(emulator);
    zone = `/zones/${await service.zone("enterprise")}`;
    account = `/accounts/${await service.account()}`;
    await caller.result("POST", `${account}/rules/lists`, { name: "addresses", kind: "ip" });
    await caller.result("POST", `${account}/rules/lists`, { name: "redirects", kind: "redirect" });
  });

  test.each(documented)("are returned as they were sent, $phase: $page (%#)", async ({ level, kind, phase, rules }) => {
    const owner = level === "zone" ? zone : account;
    const custom = await caller.result("POST", `${account}/rulesets`, { name: "c", kind: "custom", phase });
    const sent = JSON.parse(JSON.stringify(rules).replaceAll('"CUSTOM"', JSON.stringify(custom.id))) as typeof rules;
    const created = await caller.send<Saved & { id: string }>("POST", `${owner}/rulesets`, {
      name: "n",
      kind,
      phase,
      rules: sent,
    });
    expect(created.errors).toEqual([]);
    const { id, rules: saved } = await caller.result<Saved & { id: string }>(
      "GET",
      `${owner}/rulesets/${created.result.id}`,
    );
    await caller.send("DELETE", `${owner}/rulesets/${id}`);
    await caller.send("DELETE", `${account}/rulesets/${custom.id}`);
    expect(saved).toEqual(
      sent.map((rule, index) => ({
        id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        version: "1",
        last_updated: expect.any(String) as string,
        ref: saved[index]?.id,
        enabled: true,
        ...withAdded(rule),
      })),
    );
  });
});

function withAdded(rule: {
  readonly action: string;
  readonly action_parameters?: object;
  readonly ratelimit?: { readonly period: number; readonly requests_to_origin?: boolean };
}): object {
  const { action_parameters: parameters, ...added } = (ADDED[rule.action] ?? {}) as { action_parameters?: object };
  return {
    ...added,
    ...rule,
    // The service leaves out what is false anyway.
    ...(rule.ratelimit?.requests_to_origin === false
      ? { ratelimit: { ...rule.ratelimit, requests_to_origin: undefined } }
      : {}),
    ...(parameters === undefined ? {} : { action_parameters: { ...parameters, ...rule.action_parameters } }),
  };
}
