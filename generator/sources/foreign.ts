import type { JsonObject } from "../../provider/model/json.js";

/** A resource out of another tool's state. */
export interface ForeignResource {
  readonly tool: "terraform" | "pulumi";
  /** As the tool calls it: an address such as `module.edge.cloudflare_ruleset.waf["a"]`, or a URN. */
  readonly address: string;
  /** Such as `cloudflare_ruleset`, also for what Pulumi calls `cloudflare:index/ruleset:Ruleset`. */
  readonly type: string;
  /** The type as the tool itself spells it. */
  readonly ownType: string;
  readonly name: string;
  readonly id: string;
  /** What the state says of it; what is sensitive there is the marker of what is not known. */
  readonly values: JsonObject;
}
