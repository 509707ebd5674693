import { setImmediate } from "node:timers/promises";
import { OTHERS_HEADER } from "../../emulator/http/request-log.js";
import type { Emulator, Fault, LoggedRequest, Seed } from "../../emulator/index.js";
import { send } from "./http.js";

/** A well-formed token without meaning. */
export const TOKEN = "test-token-0123456789";

/** A rule in the format of the API. */
export type WireRule = Record<string, unknown>;
export interface WireRuleset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly phase: string;
  readonly version: string;
  readonly rules: readonly (WireRule & { readonly id: string; readonly ref: string })[];
}

/** An emulator in this process is controlled without HTTP. */
type Reached = Pick<Emulator, "url"> & Partial<Omit<Emulator, "url">>;

/** The service as used by someone else: the dashboard, a colleague, the night shift. None of its requests are logged. */
export class Service {
  constructor(readonly emulator: Reached) {}

  private async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = { Authorization: `Bearer ${TOKEN}`, [OTHERS_HEADER]: "1" };
    const { ok, text } = await send(`${this.emulator.url}${path}`, method, { headers, body });
    if (!ok) throw new Error(`${method} ${path}: ${text}`);
    return text === "" ? undefined : (JSON.parse(text) as { result: unknown }).result;
  }

  private async control(method: string, path: string, body?: unknown): Promise<unknown> {
    const url = `${this.emulator.url.replace("/client/v4", "/__emulator")}${path}`;
    const { ok, text } = await send(url, method, { body });
    if (!ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  }
  private async log(): Promise<readonly LoggedRequest[]> {
    // A caller that polls must let the emulator answer in between.
    await setImmediate();
    return this.emulator.requests?.() ?? ((await this.control("GET", "/requests")) as LoggedRequest[]);
  }

  async zone(plan = "enterprise"): Promise<string> {
    const zones = (await this.call("GET", "/zones")) as { id: string; plan: { legacy_id: string } }[];
    await this.forget();
    const found = zones.find((zone) => zone.plan.legacy_id === plan);
    if (found === undefined) throw new Error(`no ${plan} zone`);
    return found.id;
  }
  /** The ID of the zone with a name; empty if there is none. */
  async zoneNamed(name: string): Promise<string> {
    const zones = (await this.call("GET", "/zones")) as { id: string; name: string }[];
    return zones.find((zone) => zone.name === name)?.id ?? "";
  }
  async account(): Promise<string> {
    const zones = (await this.call("GET", "/zones")) as { account: { id: string } }[];
    await this.forget();
    return zones[0]?.account.id ?? "";
  }

  /** Of a zone, by ID, or of any scope such as `accounts/…`. */
  async entrypoint(owner: string, phase: string): Promise<WireRuleset | undefined> {
    const scope = owner.includes("/") ? owner : `zones/${owner}`;
    try {
      return (await this.call("GET", `/${scope}/rulesets/phases/${phase}/entrypoint`)) as WireRuleset;
    } catch {
      return undefined;
    }
  }
  /** The rules of an entry point; empty if it does not exist. */
  async rules(owner: string, phase: string): Promise<WireRuleset["rules"]> {
    return (await this.entrypoint(owner, phase))?.rules ?? [];
  }
  ruleset(scope: string, id: string): Promise<WireRuleset> {
    return this.call("GET", `/${scope}/rulesets/${id}`) as Promise<WireRuleset>;
  }
  list(scope: string): Promise<WireRuleset[]> {
    return this.call("GET", `/${scope}/rulesets`) as Promise<WireRuleset[]>;
  }
  create(scope: string, ruleset: object): Promise<WireRuleset> {
    return this.call("POST", `/${scope}/rulesets`, ruleset) as Promise<WireRuleset>;
  }
  replace(scope: string, id: string, content: object): Promise<WireRuleset> {
    return this.call("PUT", `/${scope}/rulesets/${id}`, content) as Promise<WireRuleset>;
  }
  addRule(scope: string, id: string, rule: WireRule): Promise<WireRuleset> {
    return this.call("POST", `/${scope}/rulesets/${id}/rules`, rule) as Promise<WireRuleset>;
  }
  editRule(scope: string, id: string, ruleId: string, rule: WireRule): Promise<WireRuleset> {
    return this.call("PATCH", `/${scope}/rulesets/${id}/rules/${ruleId}`, rule) as Promise<WireRuleset>;
  }
  async deleteRule(scope: string, id: string, ruleId: string): Promise<void> {
    await this.call("DELETE", `/${scope}/rulesets/${id}/rules/${ruleId}`);
  }
  async deleteZone(id: string): Promise<void> {
    await this.call("DELETE", `/zones/${id}`);
  }

  async delete(scope: string, id: string): Promise<void> {
    await this.call("DELETE", `/${scope}/rulesets/${id}`);
  }

  /** The requests since the last call, as `GET /zones/…`. */
  async requests(): Promise<string[]> {
    const all = await this.log();
    await this.forget();
    return all.map(({ method, path }) => `${method} ${path.replace("/client/v4", "")}`);
  }
  /** The requests so far, without clearing them. */
  async peek(): Promise<string[]> {
    return (await this.log()).map(({ method, path }) => `${method} ${path.replace("/client/v4", "")}`);
  }
  async forget(): Promise<void> {
    const { forgetRequests } = this.emulator;
    if (forgetRequests === undefined) await this.control("DELETE", "/requests");
    else forgetRequests();
  }

  async fault(fault: Fault): Promise<void> {
    await this.control("POST", "/faults", fault);
  }
  /** Sets the state of a zone's migration, or how it will proceed: what Cloudflare does on its own. */
  /** Changes a zone's previous WAF as Cloudflare could; returns the settings that its migration loses. */
  async setPreviousWaf(zone: string, change: object): Promise<{ lost: string[] }> {
    return (await this.control("POST", `/zones/${zone}/previous-waf`, change)) as { lost: string[] };
  }
  /** Sets CAA records, paces and outcomes of certificates; returns the chain with which each uploaded certificate is served. */
  async configureCertificates(zone: string, change: object): Promise<{ id: string; chain: string }[]> {
    return (await this.control("POST", `/zones/${zone}/certificates`, change)) as { id: string; chain: string }[];
  }
  /** Sets how fast the changes of lists of an account proceed. */
  async setListPace(account: string, pace: "at-once" | { readonly reads: number } | { readonly seconds: number }) {
    await this.control("POST", `/accounts/${account}/lists`, { pace });
  }
  /** Releases a version of a managed ruleset, as Cloudflare does: rules that are new or changed, and IDs of those that leave. */
  async releaseManaged(
    ruleset: string,
    change: { readonly rules?: readonly object[]; readonly removed?: readonly string[] },
  ) {
    await this.control("POST", `/managed-rulesets/${ruleset}/releases`, change);
  }
  async advanceClock(seconds: number): Promise<void> {
    const { advanceClock } = this.emulator;
    if (advanceClock === undefined) await this.control("POST", "/clock", { advanceSeconds: seconds });
    else advanceClock(seconds);
  }
  /** The emulator's time, in milliseconds since the epoch. */
  async time(): Promise<number> {
    return Date.parse(((await this.control("GET", "/clock")) as { now: string }).now);
  }
  /** Any call of someone else. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.call(method, path, body) as Promise<T>;
  }
  /** The requests so far with their queries, like {@link peek}. */
  async queries(): Promise<string[]> {
    return (await this.log()).map(
      ({ method, path, query }) => `${method} ${path.replace("/client/v4", "")}${query === "" ? "" : `?${query}`}`,
    );
  }
  /** The number of faults without a request so far. One that delays its request is gone once the request is under way. */
  async faultsLeft(): Promise<number> {
    return (await this.waitingFaults()).length;
  }
  async waitingFaults(): Promise<Fault[]> {
    await setImmediate();
    return [...(this.emulator.faults?.() ?? ((await this.control("GET", "/faults")) as Fault[]))];
  }
  async noFaults(): Promise<void> {
    const { clearFaults } = this.emulator;
    if (clearFaults === undefined) await this.control("DELETE", "/faults");
    else clearFaults();
  }
  async reset(seed?: Seed): Promise<void> {
    await this.control("POST", "/reset", seed ?? {});
  }
}
