/** Where a ruleset lives: a zone or an account, with its id. */
export interface Scope {
  readonly level: "zones" | "accounts";
  readonly id: string;
}

/** What a resource id says. `bare` is a ruleset id without a scope, as states of the vendor's own package hold it. */
export type ResourceId =
  | { readonly form: "ruleset"; readonly scope: Scope; readonly rulesetId: string }
  | { readonly form: "phase"; readonly scope: Scope; readonly phase: string }
  | { readonly form: "bare"; readonly rulesetId: string };

export function scopeText(scope: Scope): string {
  return `${scope.level}/${scope.id}`;
}

/** A scope as a person reads it: `zone 0123…` or `account 0123…`. */
export function scopeWords(scope: Scope): string {
  return `${scope.level === "zones" ? "zone" : "account"} ${scope.id}`;
}

/** `zones/<zoneId>/rulesets/<rulesetId>`, and `accounts/…` alike. */
export function rulesetResourceId(scope: Scope, rulesetId: string): string {
  return `${scopeText(scope)}/rulesets/${rulesetId}`;
}

/** `zones/<zoneId>/phases/<phase>`, and `accounts/…` alike. */
export function phaseResourceId(scope: Scope, phase: string): string {
  return `${scopeText(scope)}/phases/${phase}`;
}

/** `zones/<zoneId>/phases/<phase>/rules/<ref>` or `zones/<zoneId>/rulesets/<rulesetId>/rules/<ref>`, and `accounts/…` alike. */
export function ruleResourceId(rulesetResource: string, ref: string): string {
  return `${rulesetResource}/rules/${ref}`;
}

/** The ruleset and the ref of a rule's id; undefined for any other text. */
export function parseRuleId(
  id: string,
): { readonly ruleset: Exclude<ResourceId, { form: "bare" }>; readonly ref: string } | undefined {
  const parts = /^((?:zones|accounts)\/[^/]+\/(?:rulesets|phases)\/[^/]+)\/rules\/(.+)$/.exec(id);
  const ruleset = parseResourceId(parts?.[1] ?? "");
  return ruleset === undefined || ruleset.form === "bare" ? undefined : { ruleset, ref: parts?.[2] ?? "" };
}

/** `zones/<zoneId>/waf-migration`. */
export function migrationResourceId(zoneId: string): string {
  return `zones/${zoneId}/waf-migration`;
}

/** The zone of a migration's id; undefined for any other text. */
export function parseMigrationId(id: string): string | undefined {
  return /^zones\/([^/]+)\/waf-migration$/.exec(id)?.[1];
}

/** `zones/<zoneId>/custom-hostnames/<id>/certificate-authority`: the choice of who issues for a hostname. */
export function hostnameAuthorityId(zoneId: string, hostnameId: string): string {
  return `zones/${zoneId}/custom-hostnames/${hostnameId}/certificate-authority`;
}

/** `zones/<zoneId>/custom-hostnames/<id>/certificate`: the certificate that comes of it. */
export function hostnameCertificateId(zoneId: string, hostnameId: string): string {
  return `zones/${zoneId}/custom-hostnames/${hostnameId}/certificate`;
}

/** Zone and hostname of either id; undefined for any other text. */
export function parseHostnameId(id: string): { readonly zoneId: string; readonly hostnameId: string } | undefined {
  const parts = /^zones\/([^/]+)\/custom-hostnames\/([^/]+)\/certificate(?:-authority)?$/.exec(id);
  return parts === null ? undefined : { zoneId: parts[1] ?? "", hostnameId: parts[2] ?? "" };
}

/** `zones/<zoneId>/total-tls`. */
export function totalTlsId(zoneId: string): string {
  return `zones/${zoneId}/total-tls`;
}

/** The zone of a Total TLS id; undefined for any other text. */
export function parseTotalTlsId(id: string): string | undefined {
  return /^zones\/([^/]+)\/total-tls$/.exec(id)?.[1];
}

const full = /^(zones|accounts)\/([^/]+)\/(rulesets|phases)\/([^/]+)$/;
const vendor = /^(zones?|accounts?)\/([^/]+)\/([0-9a-f]{32})$/;

/** Reads a resource id of this package, or one of the vendor's (`zones/<zone>/<ruleset>`, or the bare ruleset id). */
export function parseResourceId(id: string): ResourceId | undefined {
  const own = full.exec(id);
  if (own !== null) {
    const scope: Scope = { level: own[1] as Scope["level"], id: own[2] ?? "" };
    const last = own[4] ?? "";
    return own[3] === "rulesets" ? { form: "ruleset", scope, rulesetId: last } : { form: "phase", scope, phase: last };
  }
  const other = vendor.exec(id);
  if (other !== null) {
    const level = (other[1] ?? "").startsWith("zone") ? "zones" : "accounts";
    return { form: "ruleset", scope: { level, id: other[2] ?? "" }, rulesetId: other[3] ?? "" };
  }
  return /^[0-9a-f]{32}$/.test(id) ? { form: "bare", rulesetId: id } : undefined;
}

/** The ruleset id inside a full resource id; anything else as it is. */
export function shortRulesetId(id: string): string {
  const parsed = id.includes("/") ? parseResourceId(id) : undefined;
  return parsed?.form === "ruleset" ? parsed.rulesetId : id;
}
