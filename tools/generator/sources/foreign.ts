import type { JsonObject } from "../../../core/model/json.js";

/** A resource from another tool's state. */
export interface ForeignResource {
  readonly tool: "terraform" | "pulumi";
  /** The tool's name for it: an address such as `module.edge.cloudflare_ruleset.waf["a"]`, or a URN. */
  readonly address: string;
  /** Terraform's type, such as `cloudflare_ruleset`, also for Pulumi's `cloudflare:index/ruleset:Ruleset`. */
  readonly type: string;
  /** The type as the tool spells it. */
  readonly ownType: string;
  readonly name: string;
  readonly id: string;
  /** Its values in the state; sensitive ones are replaced by the unknown marker. */
  readonly values: JsonObject;
}
