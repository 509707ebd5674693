import type { RequestInput } from "../../core/language/index.js";
import type { Headers } from "./message.js";

/** Prefix of headers that describe a request's client; neither rules nor the origin see them. */
const PREFIX = "x-edge-";
const FIELD = `${PREFIX}field-`;

type Facts = Pick<RequestInput, "ip" | "country" | "continent" | "asn" | "botScore" | "verifiedBot" | "threatScore">;
type Fields = NonNullable<RequestInput["fields"]>;

export interface Client {
  readonly facts: Facts;
  readonly fields: Fields;
  readonly scheme: "http" | "https";
  /** Whether the client solves every challenge. */
  readonly solved: boolean;
  /** The headers without those about the client. */
  readonly headers: Headers;
}

/** Defaults for what the service determines about every request: a person's browser and no attack. */
const USUAL: Fields = {
  "cf.bot_management.score": 99,
  "cf.bot_management.verified_bot": false,
  "cf.bot_management.static_resource": false,
  "cf.bot_management.corporate_proxy": false,
  "cf.client.bot": false,
  "cf.waf.score": 99,
  "cf.waf.score.sqli": 99,
  "cf.waf.score.xss": 99,
  "cf.waf.score.rce": 99,
  "cf.tls_client_auth.cert_presented": false,
  "cf.tls_client_auth.cert_verified": false,
};

/** Separates the headers about the client from the others. */
export function readClient(all: Headers, remoteAddress: string | undefined): Client {
  const about = new Map(all.filter(isAbout).map(([name, value]) => [name.toLowerCase(), value]));
  const headerValue = (name: string): string | undefined => about.get(PREFIX + name);
  const fields = [...about].filter(([name]) => name.startsWith(FIELD));
  const botScore = number(headerValue("bot-score"), "bot-score");
  const verifiedBot = headerValue("verified-bot");
  return {
    facts: {
      ip: headerValue("ip") ?? withoutMapping(remoteAddress),
      country: headerValue("country") ?? "XX",
      continent: headerValue("continent"),
      asn: number(headerValue("asn"), "asn") ?? 0,
      threatScore: number(headerValue("threat-score"), "threat-score"),
      ...(botScore === undefined ? {} : { botScore }),
      ...(verifiedBot === undefined ? {} : { verifiedBot: verifiedBot === "true" }),
    },
    fields: {
      ...usual(botScore, verifiedBot),
      ...Object.fromEntries(fields.map(([name, value]) => [name.slice(FIELD.length), valueOf(value)])),
    },
    scheme: headerValue("scheme") === "https" ? "https" : "http",
    solved: headerValue("challenge") === "solved",
    headers: all.filter((header) => !isAbout(header)),
  };
}

function usual(botScore: number | undefined, verifiedBot: string | undefined): Fields {
  const given = [
    ...(botScore === undefined ? [] : ["cf.bot_management.score"]),
    ...(verifiedBot === undefined ? [] : ["cf.bot_management.verified_bot", "cf.client.bot"]),
  ];
  return Object.fromEntries(Object.entries(USUAL).filter(([name]) => !given.includes(name)));
}

function isAbout([name]: readonly [string, string]): boolean {
  return name.toLowerCase().startsWith(PREFIX);
}

/** An IPv4 address without the `::ffff:` prefix of dual-stack sockets. */
function withoutMapping(address: string | undefined): string {
  return (address ?? "127.0.0.1").replace(/^::ffff:/, "");
}

function number(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^-?\d+$/.test(text)) return Number(text);
  throw new TypeError(`${PREFIX}${name}: "${text}" is not a whole number`);
}

/** Parses JSON; any other text is returned unchanged. */
function valueOf(text: string): Fields[string] {
  try {
    return JSON.parse(text) as Fields[string];
  } catch {
    return text;
  }
}
