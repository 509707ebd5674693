import type { Client, Ruleset, RulesetRule, Scope } from "../../../client/index.js";
import { ApiError, firstLineOf } from "../../../core/model/errors.js";

/** The ref of the rule that the proof sends: whatever has it was made by this command. */
const REF = "pulumi-rulesets-verify";

const RULE = {
  ...{ ref: REF, enabled: false, description: "Sent as a dry run by pulumi-rulesets verify" },
  expression: 'http.host eq "verify.invalid"',
};

/** Phases in which the proof can be made, each with a disabled rule for a host that does not exist. */
const PROOFS: Readonly<Record<string, RulesetRule>> = {
  http_request_firewall_custom: { ...RULE, action: "block" },
  http_request_cache_settings: { ...RULE, action: "set_cache_settings", actionParameters: { cache: true } },
  http_request_origin: { ...RULE, action: "route", actionParameters: { origin: { port: 443 } } },
};

/** Whether the service honours `dry_run`, and if not, what that left. */
export type Proof = { readonly isHonoured: true } | { readonly isHonoured: false; readonly text: string };

/** Rules as they were sent. */
type Sent = readonly { readonly expression?: unknown }[];

/** The entry points of a zone by phase: undefined where there is none. */
export type Found = ReadonlyMap<string, Ruleset | undefined>;

/** The entry points of the phases that are asked for. */
export async function readEntrypoints(client: Client, scope: Scope, phases: Iterable<string>): Promise<Found> {
  const listed = new Set((await client.rulesets.list(scope)).map(({ phase }) => phase));
  const found = new Map<string, Ruleset | undefined>();
  for (const phase of phases)
    found.set(phase, listed.has(phase) ? await client.rulesets.findEntrypoint(scope, phase) : undefined);
  return found;
}

/** The phases without rules. */
export function emptyPhases(found: Found): Set<string> {
  return new Set([...found].filter(([, ruleset]) => (ruleset?.rules ?? []).length === 0).map(([phase]) => phase));
}

/** Removes the rule that a proof has left which was killed before it could. Returns the phases where there was one. */
export async function removeLeftOvers(client: Client, scope: Scope): Promise<string[]> {
  const found = await readEntrypoints(client, scope, Object.keys(PROOFS));
  const left = [...found].filter(([, ruleset]) => ruleset !== undefined && isLeftOver(ruleset));
  for (const [phase, ruleset] of left) if (ruleset !== undefined) await remove(client, scope, phase, ruleset);
  return left.map(([phase]) => phase);
}

function isLeftOver({ rules }: Ruleset): boolean {
  return rules.length === 1 && rules[0]?.ref === REF && rules[0].enabled === false;
}

/** Removes the rule: with the ruleset that was made for it, or as a new version of one that was there before. */
async function remove(
  client: Client,
  scope: Scope,
  phase: string,
  { id, version, description }: Ruleset,
): Promise<void> {
  if (version === "1") await client.rulesets.delete(scope, id);
  else await client.rulesets.replace(scope, id, { description, rules: [] }, phase);
}

/**
 * Proves that the service honours `dry_run`, before anything else is sent: first that it refuses other values of the parameter,
 * with requests that can change nothing; then one disabled rule for an empty phase, as a dry run, after which the phase must be as
 * it was. A service that keeps the rule is asked to delete it again.
 */
export async function proveDryRun(client: Client, scope: Scope): Promise<Proof> {
  const found = await readEntrypoints(client, scope, Object.keys(PROOFS));
  const [phase] = emptyPhases(found);
  if (phase === undefined)
    throw new Error(
      `the proof needs a phase without rules, and the zone has rules in ${[...found.keys()].join(", ")}; use another zone`,
    );
  if (!(await client.rulesets.honoursDryRun(scope, "replaceEntrypoint")))
    return {
      isHonoured: false,
      text: "The service ignores dry_run: it takes a value that it must refuse. Nothing was changed.",
    };
  const before = found.get(phase);
  const fault = await sendProof(client, scope, phase);
  const after = await client.rulesets.findEntrypoint(scope, phase);
  if (after?.version !== before?.version)
    return {
      isHonoured: false,
      text: `The service does not honour dry_run. ${await removeKept(client, scope, phase, [RULE])}`,
    };
  return fault === undefined ? { isHonoured: true } : { isHonoured: false, text: fault };
}

/** Undefined if the answer is the one to a dry run; otherwise what it was. */
async function sendProof(client: Client, scope: Scope, phase: string): Promise<string | undefined> {
  const rule = PROOFS[phase];
  if (rule === undefined) throw new Error(`there is no proof for ${phase}`);
  try {
    await client.rulesets.replaceEntrypoint(scope, phase, { description: "", rules: [rule] }, { dryRun: true });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return `The dry run of a valid rule failed: ${firstLineOf(error)}`;
    throw error;
  }
}

/**
 * Removes what the service has kept of a dry run in a phase that was empty: only rules that were sent. Returns what it did, or what
 * is left.
 */
export async function removeKept(client: Client, scope: Scope, phase: string, sent: Sent): Promise<string> {
  try {
    const kept = await client.rulesets.findEntrypoint(scope, phase);
    const isSent = kept?.rules.every(({ expression }, index) => expression === sent[index]?.expression) ?? true;
    if (!isSent)
      return `Somebody else has changed ${phase} meanwhile, so it was left as it is. To continue: look at its rules.`;
    if (kept !== undefined) await remove(client, scope, phase, kept);
    return `What it kept in ${phase} was removed again. Nothing else was sent.`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (
      `What it kept in ${phase} could not be removed (${firstLineOf(error)}). To continue: delete the rules of ${phase}, which was ` +
      "empty before."
    );
  }
}
