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
