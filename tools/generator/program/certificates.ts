import { hostnameAuthorityId, totalTlsId } from "../../../core/model/ids.js";
import { literal, name, type Code, type Member } from "../code/code.js";
import { compare, type Statement } from "../code/module.js";
import { joinHyphen } from "../code/names.js";
import type { FoundHostname } from "../inventory.js";
import type { SelectedScope } from "./content.js";
import { member, scopeMember, type ProgramParts } from "./parts.js";
import { PACKAGE } from "./rule.js";

/** The authorities of custom hostnames: one resource, or a loop over those with a name of their own. */
export function declareHostnames(scope: SelectedScope, parts: ProgramParts): Statement[] {
  const { hostnames } = scope.found;
  if (hostnames.length === 0) return [];
  const sorted = [...hostnames].sort((a, b) => compare(a.hostname, b.hostname) || compare(a.id, b.id));
  const isTwin = (index: number): boolean =>
    [sorted[index - 1], sorted[index + 1]].some((one) => one?.hostname === sorted[index]?.hostname);
  const duplicates = sorted.filter((_, index) => isTwin(index));
  const only = sorted.filter((_, index) => !isTwin(index));
  const nameOf = ({ id, hostname }: FoundHostname): string =>
    joinHyphen(parts.slug(scope), hostname) + (duplicates.some((one) => one.id === id) ? `-${id}` : "");
  for (const one of sorted)
    parts.declare("CustomHostnameCa", nameOf(one), hostnameAuthorityId(scope.found.scope.id, one.id));
  const single = (one: FoundHostname, key: "hostname" | "customHostnameId"): Statement => ({
    kind: "run",
    value: hostnameCode(literal(nameOf(one)), [
      member(key, key === "hostname" ? one.hostname : one.id),
      member("certificateAuthority", one.certificateAuthority),
    ]),
  });
  return [
    ...(only.length > 1 ? hostnameLoop(parts.slug(scope), only) : only.map((one) => single(one, "hostname"))),
    // There are several with that name, so each is named by its ID.
    ...duplicates.map((one) => single(one, "customHostnameId")),
  ];
}

function hostnameLoop(slug: string, hostnames: readonly FoundHostname[]): Statement[] {
  const members = hostnames.map(({ hostname, certificateAuthority }) => member(hostname, certificateAuthority));
  const resource: Code = { kind: "template", parts: [`${slug}-`, name("hostname")] };
  return [
    { kind: "const", name: "hostnames", exported: false, value: { kind: "object", open: true, members } },
    {
      kind: "each",
      names: ["hostname", "certificateAuthority"],
      of: "hostnames",
      body: hostnameCode(resource, [
        { key: "hostname", value: name("hostname") },
        { key: "certificateAuthority", value: name("certificateAuthority") },
      ]),
    },
  ];
}

function hostnameCode(resource: Code, members: readonly Member[]): Code {
  const args: Code = { kind: "object", members: [{ key: "zoneId", value: name("zoneId") }, ...members] };
  return { kind: "call", isNew: true, callee: name("CustomHostnameCa", PACKAGE), args: [resource, args] };
}

/** The authority of Total TLS, where that is enabled. */
export function declareTotalTls(scope: SelectedScope, parts: ProgramParts): Statement[] {
  const { totalTls } = scope.found;
  if (totalTls === undefined) return [];
  const args: Code = { kind: "object", members: [scopeMember(scope), member("certificateAuthority", totalTls)] };
  const resource = joinHyphen(parts.slug(scope), "total-tls");
  parts.declare("TotalTlsCa", resource, totalTlsId(scope.found.scope.id));
  const callee = name("TotalTlsCa", PACKAGE);
  return [{ kind: "run", value: { kind: "call", isNew: true, callee, args: [literal(resource), args] } }];
}
