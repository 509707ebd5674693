import actionTable from "../../schema/actions.json";
import phaseTable from "../../schema/phases.json";
import { mapFrom } from "../../core/model/json.js";

/** What the values of parameters must be, by their places, such as `requestFields.*.name`. */
export interface ParameterRules {
  /** What the texts at places, or the keys of an object there, look like, and the words for that. */
  readonly patterns?: readonly {
    readonly at: readonly string[];
    readonly matches: string;
    readonly flags?: string;
    readonly words: string;
  }[];
  /** How many characters the texts at several places may have together. */
  readonly together?: readonly { readonly at: readonly string[]; readonly most: number }[];
  /** How many items a list or an object may have. */
  readonly most?: Readonly<Record<string, number>>;
  /** How many bytes a text may have, in a phase or in all. */
  readonly bytes?: readonly { readonly at: string; readonly most: number; readonly phase?: string }[];
  /** Parameters that exist in one phase of a zone or an account only. */
  readonly only?: Readonly<Record<string, { readonly phase: string; readonly level: string }>>;
  /** Parameters that a phase does not have. */
  readonly notIn?: Readonly<Record<string, string>>;
  /** Places that have no value in common with others. */
  readonly disjoint?: Readonly<Record<string, string>>;
  /** By the place of an object of headers, the settings that only one header has. */
  readonly headersWith?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Values that can only be the last of a list. */
  readonly last?: Readonly<Record<string, readonly string[]>>;
  /** Parameters of products that have ended, with the day. */
  readonly ended?: Readonly<Record<string, { readonly product: string; readonly on: string; readonly source: string }>>;
}

/**
 * Which parameters an action takes. See https://developers.cloudflare.com/ruleset-engine/rules-language/actions/, and for their
 * values the page that `source` names.
 */
export interface ActionRules extends ParameterRules {
  readonly source?: string;
  readonly parameters: readonly string[];
  readonly required?: readonly string[];
  readonly atLeastOne?: boolean;
  readonly exactlyOne?: readonly string[];
  readonly incompatible?: readonly (readonly string[])[];
  /** The only expression that its rules can have. */
  readonly expression?: string;
}

/**
 * Where a phase exists, and which actions its rules may have; `actions` is absent if they are not documented.
 * See https://developers.cloudflare.com/ruleset-engine/reference/phases-list/.
 */
interface PhaseRules {
  readonly levels: readonly string[];
  readonly product: string;
  readonly actions?: readonly string[];
  /** Actions of an account's entry point, if they differ. */
  readonly rootActions?: readonly string[];
}

export const ACTIONS = mapFrom<ActionRules>(Object.entries(actionTable));
export const PHASES = mapFrom<PhaseRules>(Object.entries(phaseTable));
export const ACTION_NAMES = Object.keys(ACTIONS);
export const PHASE_NAMES = Object.keys(PHASES);

/** Actions that are documented for at least one phase. For the others, no phase is documented. */
export const PLACED_ACTIONS = new Set(
  Object.values(PHASES).flatMap((phase) => [...(phase.actions ?? []), ...(phase.rootActions ?? [])]),
);
