/** Next steps, for the error codes that users are likely to see. */
const HINTS: Readonly<Record<number, string>> = {
  971: "The limit of 1200 requests in five minutes has been reached; wait, or lower rulesets:requestsPerSecond.",
  1404: "The plan does not include custom hostnames.",
  1405: "The quota of custom hostnames is used up.",
  1406: "The hostname already exists in this zone.",
  1436: "Check the custom hostname's ID and the zone.",
  1439: "This hostname cannot be edited through the API; its certificate is managed elsewhere.",
  1440: "An edit that changes the certificate authority needs method and type.",
  6003: "The credentials are malformed: a token has no spaces and no prefix, a key needs its e-mail address.",
  7000: "Check the zone or account ID.",
  7003: "Check the zone or account ID: 32 hexadecimal digits, shown on the overview page of the zone.",
  9103: "The e-mail address and the key do not match.",
  9109: "The token does not cover this zone or account.",
  10000: "The token is wrong, expired, or lacks the permission.",
  20018: 'Only rules with the action "skip" can have `logging`.',
  20113: "The action needs actionParameters.",
  20125: "Every rule needs an expression; `true` matches every request.",
  20127: "The expression cannot be parsed; the message shows the position.",
  20217: 'The phase already has an entry point. Use PhaseEntrypoint, or onExisting: "adopt".',
  50001: "The plan allows no more rules in this phase; nothing was written.",
};

/** A hint for the first code that has one. */
export function hintFor(codes: readonly (number | undefined)[]): string | undefined {
  return codes.flatMap((code) => (code === undefined ? [] : [HINTS[code]])).find((hint) => hint !== undefined);
}

/** Hints for messages without a stable code. */
export function hintForText(text: string): string | undefined {
  if (/WAF enrollment is required/i.test(text)) {
    return "The zone is still on the previous managed rules: migrate it first, with a ZoneWafMigration.";
  }
  if (/contact support|firewall rules to migrate/i.test(text)) {
    return "Only Cloudflare support can resolve this; contact them before you continue.";
  }
  return /not entitled/i.test(text) ? "The plan of the zone does not include this." : undefined;
}
