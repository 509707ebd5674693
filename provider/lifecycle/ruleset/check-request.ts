import { shortRulesetId } from "../../model/ids.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { Session } from "../../session/session.js";
import type { CheckedInputs, ResourceKind } from "./model.js";
import { restoreSecrets } from "../secrets.js";

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
  /** Paths of `ignoreChanges` inside rules: a ref, then steps. */
  readonly ignored: readonly Path[];
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
  const old = olds !== undefined && Object.keys(olds).some((key) => !key.startsWith("__")) ? olds : undefined;
  const restored = restoreSecrets(sent, isObject(__secrets) ? __secrets : {});
  const { rules, ...args } = isObject(restored.value) ? restored.value : {};
  return {
    kind,
    session,
    olds: old as CheckedInputs | undefined,
    args: shortened(args),
    urn: typeof __urn === "string" ? __urn : "",
    preview: __preview !== false,
    ignored: Array.isArray(__ignore) ? __ignore : [],
    rules: rules ?? (kind === "Ruleset" ? [] : undefined),
    secretPaths: restored.paths,
  };
}

/** A ruleset to take over may be named by the id of its resource. */
function shortened(args: JsonObject): JsonObject {
  const { rulesetId } = args;
  return typeof rulesetId === "string" ? { ...args, rulesetId: shortRulesetId(rulesetId) } : args;
}
