import { documentedAction } from "./core-rule-set.js";

/** Software with its own tag in the Cloudflare Managed Ruleset. */
const TAGS = new Set(["drupal", "joomla", "magento", "php", "plone", "whmcs", "wordpress"]);

/** What an override sets. */
export interface OverrideEffect {
  readonly action?: string;
  readonly enabled?: boolean;
}

/** The tag that the managed ruleset has for a group of the previous WAF; undefined if it has none. */
export function tagOfGroup(name: string): string | undefined {
  const tag = name.replace(/^Cloudflare\s+/i, "").toLowerCase();
  return TAGS.has(tag) ? tag : undefined;
}

/** What an override sets for a mode of the previous WAF; nothing for the default. */
export function effectOfMode(mode: string): OverrideEffect {
  if (mode === "off" || mode === "disable") return { enabled: false };
  if (mode === "on") return { enabled: true };
  return mode === "default" || mode === "" ? {} : { action: documentedAction(mode) };
}
