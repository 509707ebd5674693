import * as pulumi from "@pulumi/pulumi";
import type { Phase } from "../model/generated/rule.js";
import type { DeployedRuleInfo } from "../model/ruleset.js";
import type { RulesetRule } from "./generated/inputs.js";
import { prepare, typeToken } from "./prepare.js";
import type { OwnershipArgs } from "./ruleset.js";

/** Arguments of {@link PhaseEntrypoint}. */
export interface PhaseEntrypointArgs extends OwnershipArgs {
  /** Account whose entry point it is; excludes `zoneId`. Changing it replaces the entry point. */
  readonly accountId?: pulumi.Input<string | undefined>;
  /** Zone whose entry point it is; excludes `accountId`. Changing it replaces the entry point. */
  readonly zoneId?: pulumi.Input<string | undefined>;
  /** The phase. Changing it replaces the entry point. */
  readonly phase: pulumi.Input<Phase | (string & {})>;
  /** Rules in the order they run; `[]` means none on purpose. */
  readonly rules: pulumi.Input<pulumi.Input<RulesetRule>[]>;
  /** Free text. @default "" */
  readonly description?: pulumi.Input<string | undefined>;
  /** Name. @default "default", or what it is called already */
  readonly name?: pulumi.Input<string | undefined>;
}

/** What {@link PhaseEntrypoint.get} may be told beside the id. */
export type PhaseEntrypointState = Partial<PhaseEntrypointArgs>;

const OUTPUTS = ["accountId", "zoneId", "name", "phase", "description", "rules", "deployedRules", "lastUpdated", "ruleIds", "rulesetId", "version"];

/**
 * The ruleset attached to a phase of a zone or an account, addressed by the phase's name.
 *
 * @example
 * ```ts
 * new PhaseEntrypoint("waf", {
 *   zoneId,
 *   phase: "http_request_firewall_managed",
 *   rules: [{ action: "execute", expression: "true", actionParameters: { id: managedRulesets.cloudflareManaged } }],
 * });
 * ```
 */
export class PhaseEntrypoint extends pulumi.CustomResource {
  static readonly __pulumiType = typeToken("PhaseEntrypoint");

  declare readonly accountId: pulumi.Output<string | undefined>;
  declare readonly zoneId: pulumi.Output<string | undefined>;
  declare readonly phase: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string | undefined>;
  declare readonly description: pulumi.Output<string | undefined>;
  /** The rules as declared, by ref. */
  declare readonly rules: pulumi.Output<Readonly<Record<string, RulesetRule>>>;
  /** The service's id of the ruleset. */
  declare readonly rulesetId: pulumi.Output<string>;
  /** A number as text, one more with every change. */
  declare readonly version: pulumi.Output<string>;
  /** RFC 3339, UTC. */
  declare readonly lastUpdated: pulumi.Output<string>;
  /** Every rule in order as the service holds it, with `id`, `ref` and `version`. */
  declare readonly deployedRules: pulumi.Output<readonly DeployedRuleInfo[]>;
  /** Ref to id, for the rules of this program. */
  declare readonly ruleIds: pulumi.Output<Readonly<Record<string, string>>>;

  constructor(name: string, args: PhaseEntrypointArgs, opts: pulumi.CustomResourceOptions = {}) {
    const prepared = prepare("PhaseEntrypoint", name, args, opts, OUTPUTS);
    super(PhaseEntrypoint.__pulumiType, name, prepared.props, prepared.opts);
  }

  /**
   * Reads an entry point that this program does not manage.
   * @param id `zones/<zoneId>/phases/<phase>`, or `accounts/…` alike
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: PhaseEntrypointState = {},
    opts: pulumi.CustomResourceOptions = {},
  ): PhaseEntrypoint {
    return new PhaseEntrypoint(name, state as PhaseEntrypointArgs, { ...opts, id });
  }

  /** Whether a value is an entry point, whichever copy of this package made it. */
  static override isInstance(value: unknown): value is PhaseEntrypoint {
    return (
      (value as { constructor?: { __pulumiType?: string } } | undefined)?.constructor?.__pulumiType ===
      PhaseEntrypoint.__pulumiType
    );
  }
}
