import { implies, isIn, not, numberLiteral, type Formula } from "../formula/formula.js";
import type { NumberTerm, Term, TextTerm } from "../formula/term.js";
import { oneOf } from "../text/literals.js";
import { toIntervals } from "../values/intervals.js";
import { COUNTRIES_ON, UNION, UNION_OVERSEAS } from "./geography.js";

/** Fields that are known to belong together, and what is known about those of them that are tested. */
interface Group {
  readonly fields: readonly string[];
  readonly axioms: (find: (field: string) => Term | undefined) => readonly Formula[];
}

/** The ports that Cloudflare listens on: https://developers.cloudflare.com/fundamentals/reference/network-ports/ */
const PLAIN_PORTS = [80, 2052, 2082, 2086, 2095, 8080, 8880];
const TLS_PORTS = [443, 2053, 2083, 2087, 2096, 8443];

const TLS_VERSIONS = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"];

const GROUPS: readonly Group[] = [
  {
    fields: ["ip.src.country", "ip.src.continent", "ip.src.is_in_european_union"],
    axioms: (find) => {
      const [country, continent, union] = [
        find("ip.src.country"),
        find("ip.src.continent"),
        find("ip.src.is_in_european_union"),
      ];
      return [
        ...(country?.kind === "text" && continent?.kind === "text"
          ? Array.from(COUNTRIES_ON, ([name, countries]) =>
              implies(isAmong(country, countries), isAmong(continent, [name])),
            )
          : []),
        ...(country?.kind === "text" && continent?.kind === "text"
          ? [implies(isAmong(continent, ["T1"]), isAmong(country, ["T1"]))]
          : []),
        ...(country?.kind === "text" && union?.kind === "number"
          ? [
              implies(isAmong(country, UNION), isOn(union)),
              implies(isOn(union), isAmong(country, [...UNION, ...UNION_OVERSEAS])),
            ]
          : []),
      ];
    },
  },
  {
    fields: ["ssl", "cf.edge.server_port"],
    axioms: (find) => {
      const [ssl, port] = [find("ssl"), find("cf.edge.server_port")];
      if (ssl?.kind !== "number" || port?.kind !== "number") return [];
      return [implies(isOneOf(port, PLAIN_PORTS), not(isOn(ssl))), implies(isOneOf(port, TLS_PORTS), isOn(ssl))];
    },
  },
  {
    fields: ["ssl", "cf.tls_version"],
    axioms: (find) => {
      const [ssl, version] = [find("ssl"), find("cf.tls_version")];
      if (ssl?.kind !== "number" || version?.kind !== "text") return [];
      return [implies(isAmong(version, TLS_VERSIONS), isOn(ssl))];
    },
  },
  {
    fields: ["cf.client.bot", "cf.bot_management.verified_bot"],
    axioms: (find) => {
      const [bot, verified] = [find("cf.client.bot"), find("cf.bot_management.verified_bot")];
      if (bot?.kind !== "number" || verified?.kind !== "number") return [];
      const isOff = numberLiteral(verified, [[0n, 0n]]);
      return [implies(isOn(verified), isOn(bot)), implies(isOff, not(isOn(bot)))];
    },
  },
];

/** The scheme of a port, if it has only one. */
export function schemeOfPort(port: number): "http" | "https" | undefined {
  if (TLS_PORTS.includes(port)) return "https";
  return PLAIN_PORTS.includes(port) ? "http" : undefined;
}

/** The value of a field that every request has. */
function isAmong(term: TextTerm, values: readonly string[]): Formula {
  return isIn(term, oneOf(new Set(values)));
}

function isOneOf(term: NumberTerm, values: readonly number[]): Formula {
  return numberLiteral(term, toIntervals(values.map((value) => [BigInt(value), BigInt(value)])));
}

function isOn(term: NumberTerm): Formula {
  return numberLiteral(term, [[1n, 1n]]);
}

/** What is known about the fields of a request together, where conditions test several of them. */
export class Axioms {
  constructor(private readonly find: (key: string) => Term | undefined) {}

  /** What is known about terms, by their keys. */
  about(terms: Iterable<Term>): readonly Formula[] {
    const groups = new Set<Group>();
    for (const { key } of terms) for (const group of GROUPS_OF.get(key) ?? []) groups.add(group);
    return Array.from(groups).flatMap((group) => group.axioms(this.find));
  }
}

const GROUPS_OF: ReadonlyMap<string, readonly Group[]> = new Map(
  GROUPS.flatMap(({ fields }) => fields).map((field) => [field, GROUPS.filter(({ fields }) => fields.includes(field))]),
);
