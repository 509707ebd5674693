import actionTable from "../../schema/actions.json";
import phaseTable from "../../schema/phases.json";
import { mapFrom } from "../model/json.js";

/** Which parameters an action takes. See https://developers.cloudflare.com/ruleset-engine/rules-language/actions/. */
export interface ActionRules {
  readonly parameters: readonly string[];
  readonly required?: readonly string[];
  readonly atLeastOne?: boolean;
  readonly exactlyOne?: readonly string[];
  readonly incompatible?: readonly (readonly string[])[];
}

/**
 * Where a phase exists and what its rules may do; without `actions`, nobody has documented it.
 * See https://developers.cloudflare.com/ruleset-engine/reference/phases-list/.
 */
export interface PhaseRules {
  readonly levels: readonly string[];
  readonly product: string;
  readonly actions?: readonly string[];
  /** Actions of the entry point of an account, where they differ. */
  readonly rootActions?: readonly string[];
}

export const ACTIONS = mapFrom<ActionRules>(Object.entries(actionTable));
export const PHASES = mapFrom<PhaseRules>(Object.entries(phaseTable));
export const ACTION_NAMES = Object.keys(ACTIONS);
export const PHASE_NAMES = Object.keys(PHASES);

/** Actions that some phase is documented to take; of the others nobody knows where they belong. */
export const PLACED_ACTIONS = new Set(
  Object.values(PHASES).flatMap((phase) => [...(phase.actions ?? []), ...(phase.rootActions ?? [])]),
);
