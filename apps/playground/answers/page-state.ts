import type { Plan, RequestInput } from "../../../core/language/index.js";
import { PLANS } from "../../../core/language/index.js";
import { isObject } from "../../../core/model/json.js";

/** The fields of the form that describes a request, as typed. */
export interface RequestForm {
  readonly method: string;
  readonly url: string;
  readonly ip: string;
  readonly country: string;
  readonly asn: string;
  readonly botScore: string;
  /** `yes` or `no`; empty if that is not known. */
  readonly verifiedBot: string;
  /** `Name: value`, one a line. */
  readonly headers: string;
  readonly body: string;
  /** `cf.waf.score: 20`, one a line. */
  readonly fields: string;
  readonly response: string;
  readonly times: string;
}

/** Everything that a link to the page holds. */
export interface PageState {
  readonly mode: "try" | "compare";
  readonly rules: string;
  readonly after: string;
  readonly plan: Plan | "";
  readonly request: Partial<RequestForm>;
}

export const EMPTY: PageState = { mode: "try", rules: "", after: "", plan: "", request: {} };

const FORM_FIELDS: readonly (keyof RequestForm)[] = [
  "method",
  "url",
  "ip",
  "country",
  "asn",
  "botScore",
  "verifiedBot",
  "headers",
  "body",
  "fields",
  "response",
  "times",
];

/** Reads what a link holds. Anything that is no state of the page is left out, because anyone can write a link. */
export function readState(value: unknown): PageState {
  if (!isObject(value)) return EMPTY;
  const text = (name: string): string => (typeof value[name] === "string" ? value[name] : "");
  const form = isObject(value.request) ? value.request : {};
  return {
    mode: value.mode === "compare" ? "compare" : "try",
    rules: text("rules"),
    after: text("after"),
    plan: PLANS.find((plan) => plan === value.plan) ?? "",
    request: Object.fromEntries(
      FORM_FIELDS.flatMap((name) => {
        const found = form[name];
        return typeof found === "string" && found !== "" ? [[name, found]] : [];
      }),
    ),
  };
}

/** The request of a form. @throws TypeError with the field that is wrong */
export function requestOfForm(form: Partial<RequestForm>): RequestInput {
  const number = (name: "asn" | "botScore", label: string): number | undefined => {
    const text = form[name]?.trim() ?? "";
    if (text === "") return undefined;
    if (!/^\d+$/.test(text)) throw new TypeError(`${label} must be a whole number, not ${text}`);
    return Number(text);
  };
  const some = (text = ""): string | undefined => (text.trim() === "" ? undefined : text.trim());
  return {
    method: some(form.method),
    url: readUrl(form.url),
    ip: some(form.ip),
    country: some(form.country),
    asn: number("asn", "The AS number"),
    botScore: number("botScore", "The bot score"),
    verifiedBot: some(form.verifiedBot) === undefined ? undefined : form.verifiedBot === "yes",
    headers: linesOf(form.headers, "a header").map(([name, value]) => [name, value] as const),
    fields: Object.fromEntries(linesOf(form.fields, "a field").map(([name, value]) => [name, plainValue(value)])),
    ...(some(form.body) === undefined ? {} : { body: form.body }),
  };
}

/** How many times the request is sent, and the status of the origin's response, if there is one. */
export function sendingOfForm({ times = "", response = "" }: Partial<RequestForm>): {
  readonly times: number;
  readonly response?: number;
} {
  const count = Number(times.trim() === "" ? "1" : times);
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw new TypeError("A request can be sent 1 to 10000 times");
  if (response.trim() === "") return { times: count };
  const status = Number(response);
  if (!Number.isInteger(status) || status < 100 || status > 999)
    throw new TypeError(`The status of the origin's response must be a number such as 200, not ${response}`);
  return { times: count, response: status };
}

/** The form of a request: what fills in the page for a request that was found. */
export function formOfRequest(request: RequestInput): Partial<RequestForm> {
  const pairs = Array.isArray(request.headers) ? request.headers : Object.entries(request.headers ?? {});
  const lines = (pairs as readonly (readonly [string, string | readonly string[]])[]).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  const fields = Object.entries(request.fields ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const all = {
    method: request.method,
    url: String(request.url),
    ip: request.ip,
    country: request.country,
    asn: request.asn?.toString(),
    botScore: request.botScore?.toString(),
    verifiedBot: request.verifiedBot === undefined ? undefined : request.verifiedBot ? "yes" : "no",
    headers: lines.join("\n"),
    body: typeof request.body === "string" ? request.body : undefined,
    fields: fields.join("\n"),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ""));
}

function readUrl(text = ""): string {
  const url = text.trim();
  if (url === "") throw new TypeError("The request needs a URL, such as https://shop.example.com/login");
  return /^https?:\/\//i.test(url) ? url : `https://${url}`;
}

function linesOf(text = "", what: string): (readonly [name: string, value: string])[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new TypeError(`"${line.trim()}" is not ${what}; write Name: value`);
      return [name, value] as const;
    });
}

/** `20` is a number, `true` a Boolean, `["a"]` an array, and anything else a text. */
function plainValue(text: string): string | number | boolean | string[] {
  try {
    return JSON.parse(text) as string | number | boolean | string[];
  } catch {
    return text;
  }
}
