import type { Survey } from "../survey.js";

/** What to check in this zone before the step that cannot be undone. */
export function finishChecklist({ plan, phase }: Survey, notCarriedOver: number, differences: number): string[] {
  return [
    ...trial(plan, phase === "validation"),
    ...(notCarriedOver === 0
      ? []
      : [
          `Settings that are not carried over (${String(notCarriedOver)} above): declare those that you need again, with \`adjustments.overrides\` ` +
            "for rules of managed rulesets and `adjustments.prepend` for exceptions.",
        ]),
    ...(differences === 0
      ? []
      : [
          `Differences from the documentation (${String(differences)} above): the rules that will be written are what counts; change them with \`adjustments.overrides\`.`,
        ]),
  ];
}

/** How to try the new rules while the previous ones still protect the zone. */
function trial(plan: string, isValidating: boolean): string[] {
  if (isValidating) {
    return [
      "The security events of both WAFs: where rules of the new WAF match legitimate requests, change their action or disable them with " +
        "`adjustments.overrides`, or add an exception with `adjustments.prepend`.",
    ];
  }
  if (plan === "enterprise" || plan === "") {
    return [
      'Validation mode: `mode: "validation"` runs both WAFs, so that security events show what the new rules match before the finish' +
        (plan === "" ? " (Enterprise zones only)." : "."),
    ];
  }
  return [
    `The ${plan} plan has no validation mode: \`adjustments: { overrides: [{ action: "log" }] }\` makes every rule only log at first.`,
  ];
}

/** What to do before every finish. */
export const PREPARATIONS: readonly string[] = [
  "Export the settings of the previous WAF that you may need later: they cannot be read afterwards.",
  "Remove the resources of the tools below from their state and their configuration.",
  "Pin the digest as `expectedConfig`, so that a change after this review stops the step.",
];

/**
 * Tools that stop working for a zone with the finish, by version, what to remove from their state first, and what
 * replaces them. Destroying their resources would call APIs that no longer respond.
 * https://registry.terraform.io/providers/cloudflare/cloudflare/latest/docs/guides/version-4-upgrade
 */
export const STOPPED_TOOLS: readonly string[] = [
  [
    "API: /zones/<zone id>/firewall/waf/packages with their groups and rules, /zones/<zone id>/firewall/waf/overrides, /zones/<zone id>/settings/waf",
    "Instead: /zones/<zone id>/rulesets",
  ],
  [
    "Terraform provider up to 3.35: cloudflare_waf_package, cloudflare_waf_group, cloudflare_waf_rule, cloudflare_waf_override, and the " +
      "data sources of packages, groups and rules (4.0 and later have none of them)",
    "First: `terraform state rm <address>` for each, then remove it from the configuration",
    "Instead: cloudflare_ruleset, imported as zone/<zone id>/<ruleset id> (4.x) or zones/<zone id>/<ruleset id> (5.x); " +
      "`cf-terraforming generate --zone <zone id> --resource-type cloudflare_ruleset` writes its configuration",
  ],
  [
    "Terraform, the zone's WAF switch: `waf` in cloudflare_zone_settings_override (3.x, 4.x), cloudflare_zone_setting with " +
      'setting_id = "waf" (5.x)',
    "First: remove the setting from the configuration; `terraform state rm <address>` for a cloudflare_zone_setting",
    "Instead: rules that execute managed rulesets, or are disabled",
  ],
  [
    "Pulumi, @pulumi/cloudflare 4.x: WafPackage, WafGroup, WafRule, WafOverride, getWafPackages, getWafGroups, getWafRules (5.0 and " +
      "later have none of them), and `waf` in ZoneSettingsOverride (4.x, 5.x)",
    "First: `pulumi state delete <urn>` for each, then remove it from the program",
    "Instead: PhaseEntrypoint of this package",
  ],
].map((lines) => lines.join("\n"));

/** When zones could begin to migrate. Each request chooses the phase. */
export const ROLLOUT: readonly string[] = [
  "The first phase began on 2022-05-04, for zones with the WAF off or with only Cloudflare's managed rules, and nothing that bypasses them.",
  "The second phase began on 2022-09-19, for all zones without URI-based overrides. Every request of this package selects it (phase_two=1).",
];
