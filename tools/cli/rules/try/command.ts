import { existsSync, statSync } from "node:fs";
import { makeRequest, type RequestInput } from "../../../../core/language/index.js";
import type { Client } from "../../../../client/index.js";
import {
  compileProgram,
  simulate,
  type OriginResponse,
  type Simulation,
  type ZoneInput,
} from "../../../../core/simulator/index.js";
import { messageOf } from "../../../../core/model/errors.js";
import { writeOutput } from "../../write-output.js";
import { TextDocument } from "../../../rules-files/text/text-document.js";
import { fromLine, readRequest } from "../../../rules-files/request.js";
import {
  notesOn,
  unknownNotesOn,
  rulesetsOf,
  hidingSecretsOf,
  mapTexts,
  type LoadedRules,
} from "../../../rules-files/loaded.js";
import { readRules, type RulesSource } from "../source/rules.js";
import { renderTry } from "../../../rules-files/try/render.js";
import { simulationData } from "../../../rules-files/try/simulation-data.js";

export interface TryCommand extends RulesSource {
  /** Required. */
  readonly request?: string;
  /** Of the client, before what the request says. */
  readonly ip?: string;
  readonly country?: string;
  /** Status of the origin's response. Without it, response phases do not run. */
  readonly response?: string;
  /** How many times in a row the request is sent; the last result is shown. */
  readonly repeat: string;
  readonly json?: boolean;
  readonly output?: string;
}

interface TryContext {
  readonly connect: () => Client;
  readonly print: (line: string) => void;
}

/** Runs a request through rules, prints what they do, and returns the exit code: 2 when that cannot be determined, 3 if rules are missing. */
export async function runTry(path: string | undefined, options: TryCommand, context: TryContext): Promise<0 | 2 | 3> {
  const request = requestFrom(options);
  const response = readResponse(options.response);
  const times = Number(options.repeat);
  if (!Number.isInteger(times) || times < 1)
    throw new Error(`--repeat must be a whole number of at least 1, not ${options.repeat}`);
  const { loaded, zone } = await readRules(path, options, context.connect);
  const seen = send(loaded, { request, response, zone, times });
  const shown = mapTexts(simulationData(seen), hidingSecretsOf(loaded));
  const text =
    options.json === true
      ? JSON.stringify(shown, undefined, 2)
      : renderTry(shown, {
          ...loaded,
          notes: [...notesOn(loaded), ...unknownNotesOn(loaded)],
          isPartial: (loaded.unread ?? []).length > 0,
        });
  writeOutput(text, options, context.print);
  return seen.outcome === "unknown" ? 2 : (loaded.unread ?? []).length > 0 ? 3 : 0;
}

function send(
  loaded: LoadedRules,
  sent: {
    readonly request: RequestInput;
    readonly response?: OriginResponse;
    readonly zone: ZoneInput;
    readonly times: number;
  },
): Simulation {
  const program = compileProgram(rulesetsOf(loaded));
  const { response, zone } = sent;
  const request = makeRequest(sent.request);
  let seen = simulate({ program, request, response, zone });
  for (let count = 1; count < sent.times; count += 1) {
    seen = simulate({ program, request, response, zone, limits: seen.limits });
  }
  return seen;
}

const HOW =
  'pass it with --request "GET https://shop.example.com/login" (with --ip 203.0.113.9 --country DE for its client), or as an object ' +
  'for more: --request \'{ method: POST, url: "https://shop.example.com/login", ip: 203.0.113.9, country: DE, botScore: 12, ' +
  "headers: { user-agent: curl/8 } }'";

/** Parses `--request`: a file, an object in YAML or JSON, or `METHOD URL`. */
function requestFrom({ request: text, ip, country }: TryCommand): RequestInput {
  if (text === undefined) throw new Error(`no request is given. To continue: ${HOW}`);
  return { ...requestIn(text), ...(ip === undefined ? {} : { ip }), ...(country === undefined ? {} : { country }) };
}

function requestIn(text: string): RequestInput {
  const isFile = existsSync(text) && statSync(text).isFile();
  if (!isFile && !text.trim().startsWith("{")) return requestOfLine(text);
  const document = isFile ? TextDocument.read(text) : TextDocument.parse(text, "--request");
  return readRequest(document, document.value, []);
}

function requestOfLine(text: string): RequestInput {
  try {
    return fromLine(text) as RequestInput;
  } catch (error) {
    throw new Error(`--request: ${messageOf(error)}. To continue: ${HOW}`, { cause: error });
  }
}

function readResponse(text: string | undefined): OriginResponse | undefined {
  if (text === undefined) return undefined;
  const status = Number(text);
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    throw new Error(`--response must be a status code such as 200, not ${text}`);
  }
  return { status };
}
