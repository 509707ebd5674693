import { refuse } from "./failure.js";
import type { HostnamesService } from "./certificates/hostnames.js";
import type { CertificatesService } from "./certificates/service.js";
import type { MigrationService } from "./previous-waf/migration.js";
import type { BypassService } from "./previous-waf/bypasses.js";
import type { PreviousWafService } from "./previous-waf/service.js";
import type { Owner, RulesetsService } from "./rulesets/service.js";
import type { Store } from "./store.js";

/** What the routes work on; replaced as a whole by a reset. */
export interface Service {
  readonly store: Store;
  readonly rulesets: RulesetsService;
  readonly migration: MigrationService;
  readonly previousWaf: PreviousWafService;
  readonly bypasses: BypassService;
  readonly hostnames: HostnamesService;
  readonly certificates: CertificatesService;
}

export type Query = Readonly<Record<string, string | undefined>>;
export type Body = Readonly<Record<string, unknown>>;

/** What an operation gets: the service, whose objects it is about, the parts of the path, and the body. */
export interface Call extends Service {
  readonly owner: Owner;
  readonly parts: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The body as it was sent. */
  readonly sent: unknown;
}

export type Operation = (call: Call) => unknown;
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Method, path, and what it does. The owner stands in the path as `:owner`. */
export type Route = readonly [Method, string, Operation];

/** The body as an object. */
export function bodyOf({ sent }: Call): Body {
  if (typeof sent === "object" && sent !== null && !Array.isArray(sent)) return sent as Body;
  throw refuse(400, undefined, "invalid JSON: the body must be an object");
}

/** The body as a list of objects; a single one counts as a list of one. */
export function bodiesOf({ sent }: Call): readonly Body[] {
  const list: unknown[] = Array.isArray(sent) ? sent : [sent];
  if (list.every((item) => typeof item === "object" && item !== null)) return list as Body[];
  throw refuse(400, undefined, "invalid JSON: the body must be a list of objects");
}

/** A part of the path. */
export function part({ parts }: Call, name: string): string {
  return parts[name] ?? "";
}

/** An answer that comes without the envelope. */
export class Bare {
  constructor(readonly body: object) {}
}

/** An answer with page information beside its result. */
export class Paged {
  constructor(
    readonly result: unknown,
    readonly info: unknown,
  ) {}
}
