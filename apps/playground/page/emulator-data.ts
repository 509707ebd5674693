import type { DeployedList, DeployedRule, DeployedRuleset } from "../answers/deployed-rules.js";

/** A zone of the emulator. `state` changes with its rules and lists. */
export interface ZoneSummary {
  readonly id: string;
  readonly name: string;
  readonly plan: "free" | "pro" | "business" | "enterprise";
  readonly account: string;
  readonly rulesets: number;
  readonly state: string;
}

/** A ruleset with its versions, the newest first. */
export interface VersionedRuleset extends Omit<DeployedRuleset, "rules"> {
  readonly level: "zone" | "account";
  readonly version: string;
  readonly versions: readonly {
    readonly version: string;
    readonly last_updated: string;
    readonly rules: readonly DeployedRule[];
  }[];
}

/** A request to the API. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

/** A rule that acted on a request to a zone. */
export interface EdgeEvent {
  readonly datetime: string;
  readonly zoneTag: string;
  readonly action: string;
  readonly description: string;
  readonly ref: string;
  readonly clientIP: string;
  readonly clientRequestHTTPMethodName: string;
  readonly clientRequestHTTPHost: string;
  readonly clientRequestPath: string;
  readonly clientRequestQuery: string;
  readonly userAgent: string;
}

/** What the emulator of this page has, by its controls: the log of requests has none of these. */
export const emulator = {
  zones: (): Promise<readonly ZoneSummary[]> => get("zones"),
  rulesets: (zone: string): Promise<readonly VersionedRuleset[]> => get(`zones/${zone}/rulesets`),
  lists: (zone: string): Promise<readonly DeployedList[]> => get(`zones/${zone}/lists`),
  requests: (): Promise<readonly ApiRequest[]> => get("requests?last=50"),
  events: (zone: string): Promise<readonly EdgeEvent[]> => get(`events?last=50&zone=${zone}`),
};

async function get<T>(path: string): Promise<T> {
  const response = await fetch(new URL(path, location.href));
  if (!response.ok) throw new Error(`the emulator answers ${String(response.status)} to ${path}`);
  return (await response.json()) as T;
}

/** The rulesets in their newest versions, or one of them in another version. */
export function rulesetsWith(
  rulesets: readonly VersionedRuleset[],
  other?: { readonly id: string; readonly version: string },
): readonly DeployedRuleset[] {
  return rulesets.map(({ id, name, kind, phase, version, versions }) => {
    const wanted = other?.id === id ? other.version : version;
    return { id, name, kind, phase, rules: versions.find((one) => one.version === wanted)?.rules ?? [] };
  });
}
