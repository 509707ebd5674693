import { MANAGED_PHASE } from "../../../core/model/migration.js";
import { MODE_NAMES, modeOf } from "../../../core/previous-waf/phase.js";
import type { GivenArguments } from "../../engine/description.js";
import { shortRulesetId } from "../../../core/model/ids.js";
import { isList, isObject, type JsonObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { hasUnknown, isUnknown, valueIfKnown, type Pending } from "../../../core/model/unknown.js";
import { checkId, checkRule, checkRules, failure, checkKnownName, type Findings } from "../../validation/index.js";
import { normaliseRule } from "../../../core/rules/normalise.js";
import type { Adjustments, OverrideAdjustment, RuleSelector } from "../../../core/previous-waf/adjust.js";
import type { MigrationInputs, ZONE_WAF_MIGRATION } from "./description.js";

type Given = GivenArguments<typeof ZONE_WAF_MIGRATION>;

const PLACE = { phase: MANAGED_PHASE, kind: "zone" };
const OWN_RULES: readonly string[] = ["prepend", "append"] satisfies (keyof Adjustments)[];
/** Fields that name a ruleset. */
const REFERENCES: readonly string[] = ["executes", "rulesetId"] satisfies (
  | keyof RuleSelector
  | keyof OverrideAdjustment
)[];
const OVERRIDES = Object.keys({
  rulesetId: true,
  rules: true,
  categories: true,
  action: true,
  enabled: true,
  sensitivityLevel: true,
  wire: true,
} satisfies Readonly<Record<keyof OverrideAdjustment, true>>);

/** Checks the arguments of a migration without a request. */
export function checkArguments(args: Given, olds: Pending<MigrationInputs> | undefined): Findings {
  const mode = isUnknown(args.mode) ? undefined : modeOf(args.mode);
  return [
    mode === undefined && !isUnknown(args.mode)
      ? failure(["mode"], `must be ${MODE_NAMES.join(" or ")} (or "2" or "1", as the API writes them)`)
      : [],
    checkForward(args, mode, olds),
    checkAcknowledged(args, mode),
    checkAdjustments(args.adjustments),
    isList(args.rules)
      ? checkRules(
          args.rules.map((rule) => normaliseRule(rule)),
          PLACE,
        )
      : [],
  ].flat();
}

/** A migration cannot go back, and belongs to one zone. */
function checkForward(args: Given, mode: string | undefined, olds: Pending<MigrationInputs> | undefined): Findings {
  if (olds === undefined) return [];
  const moved = !isUnknown(args.zoneId) && args.zoneId !== olds.zoneId;
  return [
    moved
      ? failure(
          ["zoneId"],
          `is ${valueIfKnown(olds.zoneId) ?? ""} in the state: a migration belongs to its zone and cannot be undone. ` +
            "Declare another ZoneWafMigration for another zone, and leave this one as it is",
        )
      : [],
    olds.mode === "pending" && mode === "validation"
      ? failure(["mode"], "cannot go back from pending to validation: the finish was requested and cannot be undone")
      : [],
  ].flat();
}

/** Requires an explicit acknowledgement, so that nobody finishes a migration by accident. */
function checkAcknowledged({ acknowledgeIrreversible: acknowledged }: Given, mode: string | undefined): Findings {
  if (typeof acknowledged === "string" && /^(?:true|false)$/i.test(acknowledged))
    return failure(
      ["acknowledgeIrreversible"],
      `is the text ${JSON.stringify(acknowledged)}, which would be the name of a zone. Write true without quotes; a setting of ` +
        'the stack is read with config.getBoolean("…"), since config.get returns a text',
    );
  if (
    mode !== "pending" ||
    isUnknown(acknowledged) ||
    acknowledged === true ||
    (typeof acknowledged === "string" && acknowledged !== "")
  )
    return [];
  return failure(
    ["acknowledgeIrreversible"],
    'is required when mode is "pending", because finishing the migration cannot be undone. Write the name of the zone ' +
      '(acknowledgeIrreversible: "example.com"), which is compared with zoneId, or true',
  );
}

function checkAdjustments(adjustments: unknown): Findings {
  if (!isObject(adjustments)) return [];
  return Object.entries(adjustments)
    .flatMap(([name, list]) =>
      Array.isArray(list)
        ? list.map((item: unknown, index) => checkAdjustment(name, item, ["adjustments", name, index]))
        : [],
    )
    .flat();
}

function checkAdjustment(name: string, item: unknown, path: Path): Findings {
  if (OWN_RULES.includes(name)) return isUnknown(item) ? [] : checkRule(normaliseRule(item), PLACE, path);
  if (!isObject(item)) return [];
  const isOverride = name === "overrides";
  const fields = Object.keys(item).filter((field) => item[field] !== undefined);
  return [
    ...(isOverride
      ? [
          ...fields.map((field) => checkKnownName([...path, field], "there is no property", field, OVERRIDES)),
          checkOverrides(item, path),
        ]
      : []),
    ...REFERENCES.map((field) =>
      typeof item[field] === "string" ? checkId([...path, field], shortRulesetId(item[field])) : [],
    ),
    fields.some((field) => field !== "rulesetId") || hasUnknown(item)
      ? []
      : failure(
          path,
          isOverride ? "changes nothing: it needs a field besides rulesetId" : "selects nothing: it needs a field",
        ),
  ].flat();
}

/** Checks overrides in the place where they will be: in a rule that executes a ruleset. */
function checkOverrides({ rulesetId, ...overrides }: JsonObject, path: Path): Findings {
  const id = typeof rulesetId === "string" ? shortRulesetId(rulesetId) : "0".repeat(32);
  const rule = { action: "execute", expression: "true", actionParameters: { id, overrides } };
  const found = checkRule(rule, PLACE, []);
  return found.flatMap(({ severity, path: [, within, ...rest], message }) =>
    within === "overrides" && rest.length > 1 ? [{ severity, path: [...path, ...rest], message }] : [],
  );
}
