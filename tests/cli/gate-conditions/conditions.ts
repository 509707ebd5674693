import type { Fault } from "../../../emulator/index.js";

/** What every gate is tried with. None of them may pass. */
export const CONDITIONS = [
  "no credentials",
  "a wrong token",
  "a part that is forbidden",
  "the service is down",
  "an error of the service",
  "a wrong address",
  "an answer that is not JSON",
  "a zone that does not exist",
  "partial results",
  "a missing file",
  "a file that cannot be parsed",
  "an empty file",
  "an empty list",
  "a file that is cut",
  "a file of another version",
  "a value that is not known",
  "a secret value",
  "an option of the group",
  "a wrong option",
  "an output that cannot be written",
] as const;
export type Condition = (typeof CONDITIONS)[number];

/** What the tests make before they begin, for files of calls. */
export interface Made {
  readonly url: string;
  /** A result of `rules replay --partial`. */
  readonly part: string;
  /** What `pulumi stack export` prints. */
  readonly state: string;
  /** The files of a plan for a service at an address, of which the first wave is done. */
  readonly plan: (url: string) => Readonly<Record<string, string>>;
}
/** What a file contains; undefined if it does not exist. */
export type Content =
  | Readonly<Record<string, unknown>>
  | readonly unknown[]
  | string
  | undefined
  | ((made: Made) => string | undefined);

/** How a gate is called. `@name` in an argument is the path of a file. */
export interface Call {
  readonly args: readonly string[];
  /** Files by name. */
  readonly files?: Readonly<Record<string, Content>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly faults?: readonly Fault[];
}

/** Why a condition does not apply to a gate. */
export interface None {
  readonly none: string;
}

export type Cases = Readonly<Record<Condition, Call | None>>;

/** A gate, a call that passes, and what becomes of it under each condition. */
export interface Subject {
  /** The command and its flag, as in the list of gates. */
  readonly gate: string;
  readonly good: Call;
  readonly cases: Cases;
}

export const ZONE = "0".repeat(31) + "1";
export const OTHER_ZONE = "0".repeat(31) + "2";
/** A zone that has not been migrated. */
export const OLD_ZONE = "0".repeat(31) + "3";
export const FIREWALL = "http_request_firewall_custom";
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const ADMIN = 'starts_with(http.request.uri.path, "/admin")';

export const none = (why: string): None => ({ none: why });
const ALWAYS = { times: 99 };

type ServiceCondition = (typeof CONDITIONS)[0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8];
/** What can go wrong at the service, for a gate that reads it. */
export function service(good: Call, { part, others }: { readonly part: string; readonly others?: Call | None }) {
  const broken = (...faults: readonly Fault[]): Call => ({
    ...good,
    faults: faults.map((one) => ({ ...ALWAYS, ...one })),
  });
  const elsewhere = (url: string): Call => ({ ...good, env: { RULESETS_BASE_URL: url } });
  return {
    "no credentials": { ...good, env: { RULESETS_API_TOKEN: "" } },
    "a wrong token": { ...good, env: { RULESETS_API_TOKEN: "another-token-0123456789" } },
    "a part that is forbidden": broken({ path: part, status: 403 }),
    "the service is down": elsewhere("http://127.0.0.1:9/client/v4"),
    "an error of the service": broken({ status: 500 }),
    "a wrong address": elsewhere("@origin"),
    "an answer that is not JSON": broken({ status: 200, body: "<html>Sign in</html>" }),
    "a zone that does not exist": {
      ...good,
      args: good.args.map((arg) => (arg === ZONE || arg === OLD_ZONE ? "nowhere.test" : arg)),
    },
    "partial results": others ?? {
      ...broken({ path: `zones/${OTHER_ZONE}/`, status: 403 }),
      args: [...good.args, "--zone", OTHER_ZONE],
    },
  } satisfies Record<ServiceCondition, Call | None>;
}

/** Of a gate that sends no request. */
export function noService(partial: Call | None): Readonly<Record<ServiceCondition, Call | None>> {
  const silent = none("it sends no request");
  return {
    ...{ "no credentials": silent, "a wrong token": silent, "a part that is forbidden": silent },
    ...{ "the service is down": silent, "an error of the service": silent, "a wrong address": silent },
    ...{ "an answer that is not JSON": silent, "a zone that does not exist": silent, "partial results": partial },
  };
}

/** The text of a file; undefined if it does not exist. */
export function textOf(content: Content, made: Made): string | undefined {
  if (typeof content === "function") return content(made);
  return typeof content === "object" ? JSON.stringify(content) : content;
}

type FileCondition = (typeof CONDITIONS)[9 | 10 | 11 | 13];
/** What can be wrong with the file that a gate reads. */
export function file(good: Call, name: string) {
  const content = good.files?.[name];
  const cut = (made: Made): string => {
    const text = textOf(content, made) ?? "";
    return text.slice(0, Math.floor(text.length / 2));
  };
  const holding = (other: Content): Call => ({ ...good, files: { ...good.files, [name]: other } });
  return {
    "a missing file": holding(undefined),
    "a file that cannot be parsed": holding("{ not: [closed"),
    "an empty file": holding(""),
    "a file that is cut": holding(cut),
  } satisfies Record<FileCondition, Call>;
}

export function noFile(why: string): Readonly<Record<FileCondition | "a file of another version", None>> {
  const without = none(why);
  return {
    ...{ "a missing file": without, "a file that cannot be parsed": without, "an empty file": without },
    ...{ "a file that is cut": without, "a file of another version": without },
  };
}

type OptionCondition = "an option of the group" | "a wrong option" | "an output that cannot be written";
/** What can be wrong with options: one that is written before the command, and one that does not exist. */
export function options(good: Call, option: string, hasOutput = true) {
  return {
    "an option of the group": { ...good, args: [option, ...good.args] },
    "a wrong option": { ...good, args: [...good.args, `${option}s`] },
    "an output that cannot be written": hasOutput
      ? { ...good, args: [...good.args, "--output", "@none/out"] }
      : none("it writes no file"),
  } satisfies Record<OptionCondition, Call | None>;
}
