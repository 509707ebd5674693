import type { Client, ObservedResponse, Scope, Zone } from "../../../client/index.js";
import { ApiError, RulesetsError } from "../../../core/model/errors.js";
import { isObject, parseJson } from "../../../core/model/json.js";
import { phaseOf } from "../../../core/previous-waf/phase.js";
import { isListKind } from "../../../core/lists/kind.js";
import { failureText } from "./answers.js";
import { compareShapes, mergeShapes, shapeOf, type Shape } from "./shape.js";

/** The shapes of the answers to one route. */
interface Read {
  readonly shape: Shape;
  readonly headers: readonly string[];
}

/** Answers by route, such as `GET /zones/{}/rulesets`. */
export type Reads = ReadonlyMap<string, Read>;

/** The headers that the client reads; others depend on the connection, or on who answers. */
const READ_HEADERS: ReadonlySet<string> = new Set(["cf-ray", "date", "ratelimit", "ratelimit-policy"]);

/** Collects the shapes of what a client receives. */
export class ReadShapes {
  readonly reads = new Map<string, Read>();

  readonly observe = ({ call, status, headers, text }: ObservedResponse): void => {
    const body = parseJson(text);
    if (call.method !== "GET" || status !== 200 || !isObject(body)) return;
    const parts = call.path.split("/").map((part, at, all) => templateOf(part, all[at - 1]));
    const route = `GET ${parts.join("/")}`;
    const before = this.reads.get(route);
    const shape = shapeOf(body);
    this.reads.set(route, {
      shape: before === undefined ? shape : mergeShapes(before.shape, shape),
      headers: [...new Set([...(before?.headers ?? []), ...headers.filter((name) => READ_HEADERS.has(name))])].sort(),
    });
  };
}

/** A part of a path, or `{}` for what names something of a zone, a phase or a tag: only words of all zones remain. */
function templateOf(part: string, before = ""): string {
  return /^[a-z_]{0,30}$/.test(part) && !["phases", "by_tag"].includes(before) ? part : "{}";
}

/** Reads everything of a zone and its account that this package reads. Returns what could not be read, with why. */
export async function readAll(
  client: Client,
  { id, accountId }: Zone,
  isStopped: () => boolean = () => false,
): Promise<string[]> {
  const failures: string[] = [];
  const attempt: Attempt = async (what, read) => {
    if (isStopped()) {
      failures.push(`${what}: stopped`);
      return undefined;
    }
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RulesetsError)) throw error;
      // What a zone does not have is no failure.
      if (!(error instanceof ApiError && [404, 410].includes(error.status ?? 0)))
        failures.push(`${what}: ${failureText(error)}`);
      return undefined;
    }
  };
  await attempt("the zones", () => client.zones.page(1, {}));
  await attempt("the zone", () => client.zones.get(id));
  await readRulesets(client, { level: "zones", id }, attempt);
  await readRulesets(client, { level: "accounts", id: accountId }, attempt);
  const lists = (await attempt("the lists", () => client.lists.list(accountId))) ?? [];
  // One of each kind: they differ only in their items.
  for (const { id: list, kind } of new Map(lists.map((one) => [one.kind, one])).values()) {
    await attempt("a list", () => client.lists.get(accountId, list));
    if (isListKind(kind)) await attempt("the items", () => client.lists.items(accountId, list, kind));
  }
  const [hostname] = (await attempt("the custom hostnames", () => client.customHostnames.page(id, 1)))?.items ?? [];
  if (hostname !== undefined) await attempt("a hostname", () => client.customHostnames.get(id, hostname.id));
  await attempt("the certificate packs", () => client.certificates.listPacks(id));
  await attempt("the custom certificates", () => client.certificates.listCustomCertificates(id));
  await attempt("Total TLS", () => client.certificates.getTotalTls(id));
  const migration = await attempt("the migration", () => client.wafMigration.status(id));
  if (migration !== undefined && phaseOf(migration) !== "finished") {
    const check = await attempt("its check", () => client.wafMigration.check(id));
    if (check?.compatible === true) await attempt("its configuration", () => client.wafMigration.config(id));
  }
  await attempt("the setting of the previous WAF", () => client.previousWaf.setting(id));
  for (const { id: one } of (await attempt("its packages", () => client.previousWaf.packages(id))) ?? []) {
    await attempt("its groups", () => client.previousWaf.groups(id, one));
    await attempt("its rules", () => client.previousWaf.rules(id, one));
  }
  await attempt("its overrides", () => client.previousWaf.overrides(id));
  await attempt("the firewall rules that bypass it", () => client.previousWaf.bypassRules(id));
  await attempt("the page rules", () => client.previousWaf.pageRules(id));
  await attempt("the previous features", () => client.legacy.rules(id));
  // A token belongs to a user or to an account, and only its owner knows it.
  await attempt("the token", () => client.tokens.verify().catch(() => client.tokens.verify(accountId)));
  return failures;
}

/** Reads something, or takes down why it cannot be read. */
type Attempt = <T>(what: string, read: () => Promise<T>) => Promise<T | undefined>;

/** The rulesets of a zone or account. Of Cloudflare's one is enough: all look the same. */
async function readRulesets({ rulesets }: Client, scope: Scope, attempt: Attempt): Promise<void> {
  const all = (await attempt("the rulesets", () => rulesets.list(scope))) ?? [];
  const managed = all.filter(({ kind }) => kind === "managed").slice(0, 1);
  for (const { id, kind, phase } of [...managed, ...all.filter((one) => one.kind !== "managed")]) {
    const [rule] = (await attempt("a ruleset", () => rulesets.get(scope, id)))?.rules ?? [];
    const [{ version } = { version: undefined }] =
      (await attempt("the versions", () => rulesets.listVersions(scope, id))) ?? [];
    if (version === undefined) continue;
    await attempt("a version", () => rulesets.getVersion(scope, id, version));
    const tag = rule?.categories?.[0];
    if (tag !== undefined)
      await attempt("the rules with a tag", () => rulesets.listRulesByTag(scope, id, version, tag));
    if (kind !== "zone" && kind !== "root") continue;
    await attempt("an entry point", () => rulesets.getEntrypoint(scope, phase));
    await attempt("its versions", () => rulesets.listEntrypointVersions(scope, phase));
    await attempt("a version of it", () => rulesets.getEntrypointVersion(scope, phase, version));
  }
}

/** How what the service returns differs from what the emulator returns: a line for each place, by route. */
export function compareReads(service: Reads, emulator: Reads): Map<string, string[]> {
  const found = [...service].map(([route, read]): [string, string[]] => {
    const expected = emulator.get(route);
    if (expected === undefined) return [route, ["the emulator returned nothing to compare it with"]];
    const missing = expected.headers.filter((name) => !read.headers.includes(name));
    return [
      route,
      [...compareShapes(read.shape, expected.shape), ...missing.map((name) => `the header ${name} is missing`)],
    ];
  });
  return new Map(found.filter(([, lines]) => lines.length > 0));
}
