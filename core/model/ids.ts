/** Zone or account of a ruleset, with its ID. */
export interface Scope {
  readonly level: "zones" | "accounts";
  readonly id: string;
}

/** A parsed resource ID. `bare` is a ruleset ID without a scope, as in states of `@pulumi/cloudflare`. */
export type ResourceId =
  | { readonly form: "ruleset"; readonly scope: Scope; readonly rulesetId: string }
  | { readonly form: "phase"; readonly scope: Scope; readonly phase: string }
  | { readonly form: "bare"; readonly rulesetId: string };

export function scopeText(scope: Scope): string {
  return `${scope.level}/${scope.id}`;
}

/** A scope in words: `zone 0123…` or `account 0123…`. */
export function scopeWords(scope: Scope): string {
  return `${scope.level === "zones" ? "zone" : "account"} ${scope.id}`;
}

/** A scope as arguments name it. */
export function scopeArguments({ level, id }: Scope): { readonly zoneId: string } | { readonly accountId: string } {
  return level === "zones" ? { zoneId: id } : { accountId: id };
}

/** The kind of the entry points of a zone or an account. */
export function entrypointKind({ level }: Pick<Scope, "level">): "zone" | "root" {
  return level === "zones" ? "zone" : "root";
}

/** Where the entry points of a kind are; undefined for another kind. */
export function levelOfKind(kind: unknown): Scope["level"] | undefined {
  return kind === "zone" ? "zones" : kind === "root" ? "accounts" : undefined;
}

/** Whether programs can declare a ruleset in a zone or an account: a custom one, or an entry point. */
export function isDeclarable({ kind }: { readonly kind: string }, scope: Pick<Scope, "level">): boolean {
  return kind === "custom" || kind === entrypointKind(scope);
}

/** `zones/<zoneId>/rulesets/<rulesetId>`, or the same with `accounts/…`. */
export function rulesetResourceId(scope: Scope, rulesetId: string): string {
  return `${scopeText(scope)}/rulesets/${rulesetId}`;
}

/** `zones/<zoneId>/phases/<phase>`, or the same with `accounts/…`. */
export function phaseResourceId(scope: Scope, phase: string): string {
  return `${scopeText(scope)}/phases/${phase}`;
}

/** `zones/<zoneId>/phases/<phase>/rules/<ref>`, `zones/<zoneId>/rulesets/<rulesetId>/rules/<ref>`, or with `accounts/…`. */
export function ruleResourceId(rulesetResource: string, ref: string): string {
  return `${rulesetResource}/rules/${ref}`;
}

/** The ruleset and the ref in a rule's resource ID; undefined for any other text. */
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

/** The zone in a migration's resource ID; undefined for any other text. */
export function parseMigrationId(id: string): string | undefined {
  return /^zones\/([^/]+)\/waf-migration$/.exec(id)?.[1];
}

/** `zones/<zoneId>/custom-hostnames/<id>/certificate-authority`: ID of a `CustomHostnameCa`. */
export function hostnameAuthorityId(zoneId: string, hostnameId: string): string {
  return `zones/${zoneId}/custom-hostnames/${hostnameId}/certificate-authority`;
}

/** `zones/<zoneId>/custom-hostnames/<id>/certificate`: ID of a `CustomHostnameCertificate`. */
export function hostnameCertificateId(zoneId: string, hostnameId: string): string {
  return `zones/${zoneId}/custom-hostnames/${hostnameId}/certificate`;
}

/** Zone and hostname in either resource ID; undefined for any other text. */
export function parseHostnameId(id: string): { readonly zoneId: string; readonly hostnameId: string } | undefined {
  const parts = /^zones\/([^/]+)\/custom-hostnames\/([^/]+)\/certificate(?:-authority)?$/.exec(id);
  return parts === null ? undefined : { zoneId: parts[1] ?? "", hostnameId: parts[2] ?? "" };
}

/** `zones/<zoneId>/total-tls`. */
export function totalTlsId(zoneId: string): string {
  return `zones/${zoneId}/total-tls`;
}

/** The zone in a Total TLS resource ID; undefined for any other text. */
export function parseTotalTlsId(id: string): string | undefined {
  return /^zones\/([^/]+)\/total-tls$/.exec(id)?.[1];
}

/** Whether a text is an ID of the service: 32 hexadecimal digits. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

const full = /^(zones|accounts)\/([^/]+)\/(rulesets|phases)\/([^/]+)$/;
const cloudflareId = /^(zones?|accounts?)\/([^/]+)\/([0-9a-f]{32})$/;

/** Parses a resource ID of this package or of `@pulumi/cloudflare` (`zones/<zone>/<ruleset>`, or a bare ruleset ID). */
export function parseResourceId(id: string): ResourceId | undefined {
  const own = full.exec(id);
  if (own !== null) {
    const scope: Scope = { level: own[1] as Scope["level"], id: own[2] ?? "" };
    const last = own[4] ?? "";
    return own[3] === "rulesets" ? { form: "ruleset", scope, rulesetId: last } : { form: "phase", scope, phase: last };
  }
  const other = cloudflareId.exec(id);
  if (other !== null) {
    const level = (other[1] ?? "").startsWith("zone") ? "zones" : "accounts";
    return { form: "ruleset", scope: { level, id: other[2] ?? "" }, rulesetId: other[3] ?? "" };
  }
  return isId(id) ? { form: "bare", rulesetId: id } : undefined;
}

/** The ruleset ID in a full resource ID; returns any other text unchanged. */
export function shortRulesetId(id: string): string {
  const parsed = id.includes("/") ? parseResourceId(id) : undefined;
  return parsed?.form === "ruleset" ? parsed.rulesetId : id;
}

/** `accounts/<accountId>/lists/<listId>`. */
export function listResourceId(accountId: string, listId: string): string {
  return `accounts/${accountId}/lists/${listId}`;
}

/** Writes one ref per line. The last line ends with a line break too, so that appending a ref is one line in a text diff. */
export function orderText(order: readonly string[]): string {
  return order.map((ref) => `${ref}\n`).join("");
}

/** The refs in such a text. */
export function refsIn(order: string): string[] {
  return order.split("\n").filter((ref) => ref !== "");
}

/** An order with the refs that only another order has, each after the ref that it follows there. */
export function withInserted(order: readonly string[], other: readonly string[]): string[] {
  const following = new Map(["", ...order].map((ref): [string, string[]] => [ref, []]));
  let anchor = "";
  for (const ref of other) {
    if (following.has(ref)) anchor = ref;
    else following.get(anchor)?.push(ref);
  }
  return [...following].flatMap(([ref, added]) => (ref === "" ? added : [ref, ...added]));
}
