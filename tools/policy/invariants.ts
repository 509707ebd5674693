import type { Plan } from "../../core/language/index.js";
import { readInvariantFiles } from "../rules-files/invariant-files.js";
import { fails, judgeZones, type JudgedZone, type ZoneVerdict } from "../../core/invariants/judge.js";
import { placesInNewZones } from "../../core/invariants/new-zones.js";
import { rulesetsOfStates, type StateOfResource } from "../../core/invariants/states.js";
import { invariantWords, reasonLines, verdictWords } from "../../core/invariants/words.js";
import { withFacts, zonesOf } from "../../core/invariants/zones.js";
import { newZoneFrom, type NewZone } from "../../core/model/new-zones.js";
import { isZone } from "../../core/model/urn.js";
import { withoutTexts } from "../../provider/engine/stored-as-json.js";
import { ownValue, type JsonObject } from "../../core/model/json.js";
import { ownType } from "../../core/model/urn.js";
import { knownProperties } from "./known.js";
import { safeRequest } from "./safe-request.js";

/** What is known about a zone. A stack contains the ID alone. */
export interface ZoneFacts {
  readonly name?: string;
  readonly plan?: Plan;
}

export interface InvariantsPolicyOptions {
  /** Files of invariants, or folders with `*.invariants.yaml`; relative to the policy pack. */
  readonly files: string | readonly string[];
  /** @default "invariants" */
  readonly name?: string;
  /** @default that of the policy pack */
  readonly enforcementLevel?: "advisory" | "mandatory" | "disabled";
  /** Whether a stack may pass even if an invariant is not proved, as long as no request shows that it is violated. @default false */
  readonly allowUnknown?: boolean;
  /** Names and plans of zones by ID, for invariants that select zones by them. */
  readonly zones?: Readonly<Record<string, ZoneFacts>>;
}

/** A policy for the list `policies` of a `PolicyPack` of `@pulumi/policy`. */
export interface InvariantsPolicy {
  readonly name: string;
  readonly description: string;
  readonly enforcementLevel?: "advisory" | "mandatory" | "disabled";
  readonly validateStack: (
    stack: { readonly resources: readonly PolicyResource[] },
    reportViolation: (message: string, urn?: string) => void,
  ) => void;
}

interface PolicyResource {
  readonly urn: string;
  readonly name: string;
  readonly props: object;
  /** What each property depends on. */
  readonly propertyDependencies?: Readonly<Record<string, readonly Omit<PolicyResource, "propertyDependencies">[]>>;
}

/**
 * A policy that holds if every invariant is proved for the rules of a stack, whether it uses dynamic resources or the plugin. A
 * stack is judged as if its zones had no other rulesets, and one without rulesets is not judged. Values of rules are not shown, because some may be secrets.
 *
 * @throws Error with the place of the first mistake in a file
 *
 * @example
 * new PolicyPack("firewall", {
 *   policies: [invariants({ files: "zones.invariants.yaml", enforcementLevel: "mandatory" })],
 * });
 */
export function invariants(options: InvariantsPolicyOptions): InvariantsPolicy {
  const { files, name = "invariants", enforcementLevel, allowUnknown = false, zones: facts = {} } = options;
  const read = readInvariantFiles(typeof files === "string" ? [files] : files);
  return {
    name,
    description: "What must hold for all requests is proved for the rules of the stack.",
    ...(enforcementLevel === undefined ? {} : { enforcementLevel }),
    validateStack: ({ resources }, reportViolation) => {
      const own = resources.filter(({ urn }) => ownType(urn) !== undefined);
      const newZones = placesInNewZones(new Map(own.flatMap(newZoneOf)));
      const states = own.map((one) => ({
        urn: one.urn,
        name: one.name,
        properties: stateOf(one),
        newZone: newZones.get(one.urn),
      }));
      const rulesets = rulesetsOfStates(states);
      if (rulesets.length === 0) return;
      const zones = zonesOf(rulesets, { label: "the stack" }).map((zone) =>
        withFacts(zone, ownValue(facts, zone.zone.id ?? "")),
      );
      const { verdicts } = judgeZones({ invariants: read.invariants, zones, now: new Date(), isWhole: false });
      for (const one of verdicts) {
        if (fails(one.verdict, allowUnknown)) reportViolation(messageOf(one), urnIn(one.zone, states));
      }
    },
  };
}

/** What the engine shows of a resource: nothing that is internal. */
function stateOf({ props }: PolicyResource): JsonObject {
  // Outputs of dynamic resources have a text.
  return withoutTexts(knownProperties(props), ["rules"]) as JsonObject;
}

/** The zone whose ID a resource has as its own, as far as a policy is told. */
function newZoneOf({ urn, propertyDependencies = {} }: PolicyResource): readonly (readonly [string, NewZone])[] {
  const [zone, ...others] = propertyDependencies.zoneId ?? [];
  if (zone === undefined || others.length > 0 || !isZone(zone.urn)) return [];
  return [[urn, newZoneFrom(zone.urn, knownProperties(zone.props))]];
}

function messageOf(one: ZoneVerdict): string {
  const { invariant, zone, verdict, proof } = one;
  const reasons = reasonLines(one);
  const shown =
    proof.verdict === "violated" ? [safeRequest(proof.request, invariant.requests), ...reasons.slice(1)] : reasons;
  return [`"${invariant.name}" is ${verdictWords(verdict)} in ${zone.label}: ${invariantWords(invariant)}`]
    .concat(shown, "To see the request and every rule: npx pulumi-rulesets rules prove")
    .join("\n");
}

/** A resource of the zone, to which the engine attaches the message; undefined for the whole stack. */
function urnIn(
  { zone: { id } }: JudgedZone,
  states: readonly (StateOfResource & { readonly urn: string })[],
): string | undefined {
  return states.find(({ properties, newZone }) => properties.zoneId === id || (newZone !== undefined && newZone === id))
    ?.urn;
}
