import { isMap } from "../../../../core/language/value.js";
import { fieldFault } from "../../../../core/language/catalogue/nearest.js";
import {
  makeContext,
  makeRequest,
  PartlyUnknown,
  Unknown,
  type Evaluated,
  type HttpRequest,
  type PlainValue,
  type RecordedInput,
  type RequestInput,
} from "../../../../core/language/index.js";
import { parseJson } from "../../../../core/model/json.js";

/** Options for what a recording does not contain. */
export interface DefaultOptions {
  readonly ip?: string;
  readonly country?: string;
  /** `name=value`. */
  readonly field?: readonly string[];
}

/** What requests have where the recording says nothing. */
export type Defaults = Pick<RequestInput, "ip" | "country"> & {
  readonly fields: ReadonlyMap<string, PlainValue>;
};

/** Reads the options; throws if a value does not fit. */
export function readDefaults({ ip, country, field = [] }: DefaultOptions): Defaults {
  makeRequest({ url: "https://example.com/", ip, country });
  return { ip, country, fields: new Map(field.map(readField)) };
}

function readField(text: string): readonly [string, PlainValue] {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0)).trim();
  if (name === "") throw new Error(`--field must be name=value, such as cf.waf.score=12, not ${JSON.stringify(text)}`);
  const fault = fieldFault(name);
  if (fault !== undefined) throw new Error(`--field ${name}: ${fault}`);
  return [name, valueOf(name, text.slice(at + 1))];
}

/** The text itself where the field is a text or an address, otherwise its JSON. */
function valueOf(name: string, text: string): PlainValue {
  const values = [text, parseJson(text) as PlainValue | undefined];
  const value = values.find((one) => one !== undefined && fits(name, one));
  if (value === undefined)
    throw new Error(`--field ${name}: ${JSON.stringify(text)} does not fit the type of the field`);
  return value;
}

function fits(name: string, value: PlainValue): boolean {
  try {
    makeContext({ fields: { [name]: value } });
    return true;
  } catch {
    return false;
  }
}

/** A recorded request, with the defaults for what is not known of it. What is recorded of a map stays. */
export function requestWith({ ip, country, fields }: Defaults, recorded: RecordedInput): HttpRequest {
  const input = { ...recorded, ip: recorded.ip ?? ip, country: recorded.country ?? country };
  const request = makeRequest(input);
  const missing = [...fields].filter(([name]) => request.field(name) instanceof Unknown);
  if (missing.length === 0) return request;
  const given = makeContext({ fields: Object.fromEntries(missing) });
  return request.withFields(
    new Map(missing.map(([name]) => [name, withRecorded(request.field(name), given.field(name))])),
  );
}

/** A default, with the entries of the field that are known. */
function withRecorded(recorded: Evaluated, given: Evaluated): Evaluated {
  if (!(recorded instanceof PartlyUnknown) || !isMap(given)) return given;
  const entry = (key: string): Evaluated => {
    const own = recorded.entry(key);
    return own instanceof Unknown ? given.get(key) : own;
  };
  return new PartlyUnknown(recorded.because, entry);
}

const NOT_KNOWN = /^`(.+)` is not known for this request; pass it as .*$/;
const OPTIONS: Readonly<Record<string, string>> = { "ip.src": "--ip <address>", "ip.src.country": "--country <code>" };

/** Why an outcome is unknown, with the option that provides what is missing. */
export function reasonText(because: string): string {
  const [, name] = NOT_KNOWN.exec(because) ?? [];
  // The value differs from request to request.
  if (name === undefined)
    return because.replace(/^(a header cannot have) the value ".*"$/s, "$1 the value that a rule gives it");
  const [, map, key] = /^(.+)\[(".*")\]$/.exec(name) ?? [];
  const field = map === undefined ? `${name}=…` : `${map}={${String(key)}: …}`;
  return `\`${name}\` is not in the recording; pass it as ${OPTIONS[name] ?? `--field '${field}'`}`;
}
