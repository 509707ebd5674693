import type { ListInput } from "../simulator/lists.js";
import type { DetailFields, Items } from "./item.js";
import type { ListKind } from "./kind.js";

/** The items of a list as rules are judged and tried with. Comments are left out. */
export function listInputOf(kind: ListKind, items: Items): ListInput {
  const entries = Object.entries(items).map(([key, details]): { key: string; fields: DetailFields } => ({
    key,
    fields: typeof details === "object" ? details : {},
  }));
  switch (kind) {
    case "ip":
      return { kind, items: entries.map(({ key }) => key) };
    case "asn":
      return { kind, items: entries.map(({ key }) => Number(key)) };
    case "hostname":
      return { kind, items: entries.flatMap(({ key, fields }) => hostnames(key, fields)) };
    case "redirect":
      return {
        kind,
        items: entries.map(({ key, fields: { comment: _, wire: _wire, target, status, ...switches } }) => ({
          sourceUrl: key,
          targetUrl: target ?? "",
          ...(status === undefined ? {} : { statusCode: status }),
          ...switches,
        })),
      };
  }
}

/** `*.example.com` stands for the names below a domain, and with a switch also for the domain itself. */
function hostnames(name: string, { excludeExactHostname = true }: DetailFields): string[] {
  return excludeExactHostname ? [name] : [name, name.replace(/^\*\./, "")];
}
