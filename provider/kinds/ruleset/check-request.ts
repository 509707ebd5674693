import { shortRulesetId } from "../../model/ids.js";
import { isObject, omit, type Json, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { StackAddress } from "../../engine/predecessors.js";
import type { Session } from "../../engine/session.js";
import type { CheckedInputs, ResourceKind } from "./model.js";
import { restoreSecrets } from "../../engine/secrets.js";

/** Inputs as the resource class sends them. */
export type RawInputs = Readonly<Record<string, Json | undefined>>;

/** What check works with: the arguments, and what the resource class sent beside them. */
export interface CheckRequest {
  readonly kind: ResourceKind;
  readonly session: Session;
  readonly olds: CheckedInputs | undefined;
  readonly args: JsonObject;
  readonly urn: string;
  readonly preview: boolean;
  /** `ignoreChanges` as the program writes it. */
  readonly ignored: readonly string[];
  /** Whether `ignoreChanges` names the order of the rules: then the engine hands the old one in. */
  readonly keepsOrder: boolean;
  /** The rules as a list, secrets restored; a map stands for `ignoreChanges: ["rules"]`. */
  readonly rules: Json | undefined;
  /** Where in the arguments secrets stand, the rules among them. */
  readonly secretPaths: readonly Path[];
}

/** Takes apart what the resource class sent: arguments, internal inputs, and the secrets, which go back to their places. */
export function readRequest(
  kind: ResourceKind,
  session: Session,
  olds: RawInputs | undefined,
  news: RawInputs,
): CheckRequest {
  const { __preview, __stack, __urn, __secrets, __ignore, __provider, ...sent } = news;
  if (isObject(__stack)) session.predecessors.learn(__stack as unknown as StackAddress);
  const old = olds !== undefined && Object.keys(olds).some((key) => !key.startsWith("__")) ? olds : undefined;
  const restored = restoreSecrets(sent, isObject(__secrets) ? __secrets : {});
  const { rules, ...rest } = isObject(restored.value) ? restored.value : {};
  const { handedIn, args } = withoutOld(rest, old);
  return {
    kind,
    session,
    olds: old as CheckedInputs | undefined,
    args: shortened(args),
    urn: typeof __urn === "string" ? __urn : "",
    preview: __preview !== false,
    ignored: Array.isArray(__ignore) ? (__ignore as readonly string[]) : [],
    keepsOrder: handedIn.includes("order"),
    rules: rules ?? (kind === "Ruleset" ? [] : undefined),
    secretPaths: restored.paths,
  };
}

/** A ruleset to take over may be named by the id of its resource. */
function shortened(args: JsonObject): JsonObject {
  const { rulesetId } = args;
  return typeof rulesetId === "string" ? { ...args, rulesetId: shortRulesetId(rulesetId) } : args;
}

/** Inputs that `check` adds: with `ignoreChanges` the engine hands the old ones in, as if the program gave them. */
const DERIVED = ["order", "rulesInForce"];

function withoutOld(
  news: RawInputs,
  olds: RawInputs | undefined,
): { readonly args: JsonObject; readonly handedIn: readonly string[] } {
  const handedIn = DERIVED.filter((name) => news[name] !== undefined && news[name] === olds?.[name]);
  return { args: omit(news, handedIn), handedIn };
}
