import { withKnownPhases } from "../../../tools/rules-files/check/runnable.js";
import { rulesetsOf } from "../../../tools/rules-files/loaded.js";
import { verdictOf } from "../../../tools/rules-files/try/render.js";
import { simulationData, type SimulationData } from "../../../tools/rules-files/try/simulation-data.js";
import { fieldFault } from "../../../core/language/catalogue/nearest.js";
import { makeRequest, type Plan, type RequestInput } from "../../../core/language/index.js";
import { compileProgram, simulate, type OriginResponse, type Simulation } from "../../../core/simulator/index.js";
import { failedBy, type Failed } from "./failed.js";
import { looksLikeDocument, readRulesText } from "./rules-text.js";

/** What rules do to a request. */
export interface TryAnswer extends Pick<
  SimulationData,
  "outcome" | "rule" | "trace" | "request" | "response" | "undecided" | "managed" | "origin"
> {
  /** `blocked by "Block admin"`. */
  readonly verdict: string;
}

interface TryInput {
  readonly rules: string;
  readonly plan?: Plan;
  readonly request: RequestInput;
  readonly response?: number;
  readonly times?: number;
}

const NAME = "rules";

/** Sends a request through rules like `rules try`. */
export function tryRequest(input: TryInput, now: string): TryAnswer | Failed {
  try {
    return answerOf(simulationData(send(input, Date.parse(now))));
  } catch (error) {
    const { failure } = failedBy(error);
    // An expression alone is in no list.
    return { failure: looksLikeDocument(input.rules) ? failure : failure.replace("rulesets[0].rules[0]: ", "") };
  }
}

/** A name that neither the language nor the rules know is a mistake, and without the field the answer may be another one. */
function checkFields(rules: string, fields: RequestInput["fields"] = {}): void {
  const words = new Set(rules.split(/[^\w.]/));
  for (const name of Object.keys(fields)) {
    const fault = fieldFault(name);
    if (fault !== undefined && !words.has(name)) throw new TypeError(`\`${name}\`: ${fault}`);
  }
}

function send({ rules, plan, request, response, times = 1 }: TryInput, clock: number): Simulation {
  checkFields(rules, request.fields);
  const loaded = withKnownPhases(readRulesText(rules, NAME).loaded);
  const program = compileProgram(rulesetsOf(loaded));
  const answered: OriginResponse | undefined = response === undefined ? undefined : { status: response };
  const sent = { program, request: makeRequest(request), response: answered, zone: { plan }, clock };
  let seen = simulate(sent);
  for (let count = 1; count < times; count += 1) seen = simulate({ ...sent, limits: seen.limits });
  return seen;
}

function answerOf(data: SimulationData): TryAnswer {
  const { outcome, rule, trace, request, response, undecided, managed, origin } = data;
  return { outcome, rule, trace, request, response, undecided, managed, origin, verdict: verdictOf(data) };
}
