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

/** Collects the shapes of what a client receives. */
export class ReadShapes {
  readonly reads = new Map<string, Read>();

  readonly observe = ({ call, status, headers, text }: ObservedResponse): void => {
    const body = parseJson(text);
    if (call.method !== "GET" || status !== 200 || !isObject(body)) return;
    const route = `GET ${call.path.split("/").map(templateOf).join("/")}`;
    const before = this.reads.get(route);
    const shape = shapeOf(body);
    this.reads.set(route, {
      shape: before === undefined ? shape : mergeShapes(before.shape, shape),
      headers: [...new Set([...(before?.headers ?? []), ...headers])].sort(),
    });
  };
}

/** A part of a path, or `{}` for what names something of a zone: only words of the API remain. */
function templateOf(part: string): string {
  return /^([a-z][a-z_]*)?$/.test(part) && !part.startsWith("http_") && !part.startsWith("ddos_") ? part : "{}";
}

/** Reads everything of a zone and its account that this package reads. Returns what could not be read, with why. */
export async function readAll(client: Client, { id, accountId }: Zone): Promise<string[]> {
  const scope: Scope = { level: "zones", id };
  const failures: string[] = [];
  const attempt = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
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
  const rulesets = (await attempt("the rulesets", () => client.rulesets.list(scope))) ?? [];
  for (const { id: ruleset, kind, phase } of rulesets) {
    await attempt("a ruleset", () => client.rulesets.get(scope, ruleset));
    if (kind !== "zone") continue;
    await attempt("an entry point", () => client.rulesets.getEntrypoint(scope, phase));
    const versions = (await attempt("the versions", () => client.rulesets.listVersions(scope, ruleset))) ?? [];
    const [{ version } = { version: undefined }] = versions;
    if (version !== undefined) await attempt("a version", () => client.rulesets.getVersion(scope, ruleset, version));
  }
  for (const list of (await attempt("the lists", () => client.lists.list(accountId))) ?? []) {
    const { kind } = list;
    await attempt("a list", () => client.lists.get(accountId, list.id));
    if (isListKind(kind)) await attempt("the items", () => client.lists.items(accountId, list.id, kind));
  }
  const [hostname] = (await attempt("the custom hostnames", () => client.customHostnames.page(id, 1)))?.items ?? [];
  if (hostname !== undefined) await attempt("a hostname", () => client.customHostnames.get(id, hostname.id));
  await attempt("the certificate packs", () => client.certificates.listPacks(id));
  await attempt("the custom certificates", () => client.certificates.listCustomCertificates(id));
  await attempt("Total TLS", () => client.certificates.getTotalTls(id));
  const migration = await attempt("the migration", () => client.wafMigration.status(id));
  if (migration !== undefined && phaseOf(migration) !== "finished") {
    await attempt("its check", () => client.wafMigration.check(id));
    await attempt("its configuration", () => client.wafMigration.config(id));
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
  await attempt("the token", () => client.tokens.verify());
  return failures;
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
