import type { CheckOptions } from "../../../core/language/index.js";
import type { Body } from "../../call.js";
import { invalidValue, refuse, type ServiceError } from "../../failure.js";
import { expressionFault } from "../expression.js";
import type { Check, RuleContext } from "./check.js";
import { listsIn } from "./lists.js";

/** An expression in a rule. */
interface Place {
  readonly text: unknown;
  readonly field: string;
  readonly pointer: string;
  readonly slot: NonNullable<CheckOptions["slot"]>;
  readonly type?: CheckOptions["type"];
}

/** Checks the expression of a rule: the language, and what the phase and the plan allow. */
export const textFault: Check = ({ expression }, context, at) => {
  const pointer = `${at}/expression`;
  if (expression !== undefined && typeof expression !== "string")
    return invalidValue(expression, "expression", "it must be a string", { pointer });
  if (expression === undefined || expression.trim() === "")
    return invalidValue("", "expression", "the expression cannot be blank", { code: 20125, pointer });
  return faultAt({ text: expression, field: "expression", pointer, slot: "filter" }, context);
};

/** Checks the expressions in other fields of a rule. */
export const otherTextsFault: Check = (rule, context, at) => {
  for (const place of placesIn(rule, at)) {
    const fault = faultAt(place, context);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

function faultAt({ text, field, pointer, slot, type }: Place, context: RuleContext): ServiceError | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  const { phase, level, plan = "enterprise" } = context;
  // What a rate limit can count by depends on the plan in another way.
  const options = level === "zones" && type !== "Any" ? { phase, plan } : { phase };
  const fault = expressionFault(text, { ...options, slot, type, lists: knownLists(text, context) });
  if (fault === undefined) return undefined;
  return fault.reason === undefined
    ? refuse(400, undefined, fault.message ?? "", pointer)
    : invalidValue(text, field, fault.reason, { code: 20127, pointer });
}

/** The existing lists that an expression uses. Redirects are looked up by URL, which is a string. */
function knownLists(text: string, { listKind }: RuleContext): CheckOptions["lists"] {
  const named = listsIn(text).flatMap((name) => {
    const kind = listKind(name);
    return kind === undefined ? [] : [[name, kind === "redirect" ? "hostname" : kind] as const];
  });
  return Object.fromEntries(named);
}

function placesIn({ action, action_parameters, ratelimit, exposed_credential_check }: Body, at: string): Place[] {
  const parameters = (action_parameters ?? {}) as Body;
  const value = (from: unknown, path: string, type: Place["type"] = "String"): Place => ({
    text: from,
    field: path.slice(path.lastIndexOf("/") + 1),
    pointer: `${at}/${path}`,
    slot: "value",
    type,
  });
  const counting: Place = {
    text: (ratelimit as Body | undefined)?.counting_expression,
    field: "counting_expression",
    pointer: `${at}/ratelimit/counting_expression`,
    slot: "counting",
  };
  const credentials = (exposed_credential_check ?? {}) as Body;
  const { characteristics = [] } = (ratelimit ?? {}) as { characteristics?: readonly unknown[] };
  return [
    counting,
    ...characteristics
      .map((text, index) => value(text, `ratelimit/characteristics/${String(index)}`, "Any"))
      .filter(({ text }) => text !== "cf.colo.id" && text !== "cf.unique_visitor_id"),
    ...["username_expression", "password_expression"].map((name) =>
      value(credentials[name], `exposed_credential_check/${name}`),
    ),
    ...(action === "redirect" ? redirectPlaces(parameters, value) : []),
    ...(action === "rewrite" ? rewritePlaces(parameters, value) : []),
    ...(action === "set_cache_tags"
      ? [value(parameters.expression, "action_parameters/expression", "Array<String>")]
      : []),
  ];
}

type PlaceOf = (from: unknown, path: string, type?: Place["type"]) => Place;

function redirectPlaces({ from_value, from_list }: Body, place: PlaceOf): Place[] {
  const target = ((from_value as Body | undefined)?.target_url ?? {}) as Body;
  return [
    place(target.expression, "action_parameters/from_value/target_url/expression"),
    place((from_list as Body | undefined)?.key, "action_parameters/from_list/key"),
  ];
}

function rewritePlaces({ uri, headers }: Body, place: PlaceOf): Place[] {
  const parts = (uri ?? {}) as Readonly<Record<string, Body | undefined>>;
  return [
    ...["path", "query"].map((name) => place(parts[name]?.expression, `action_parameters/uri/${name}/expression`)),
    ...Object.entries((headers ?? {}) as Readonly<Record<string, Body>>).map(([name, { expression }]) =>
      place(expression, `action_parameters/headers/${name}/expression`, "Scalar"),
    ),
  ];
}
