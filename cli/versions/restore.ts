import type { Ruleset } from "../../provider/client/index.js";
import type { Session } from "../../provider/engine/session.js";
import { desiredFrom, type Desired } from "../../provider/kinds/ruleset/desired.js";
import { isUpToDate, type Content } from "../../provider/kinds/ruleset/plan/content.js";
import { replaceRuleset } from "../../provider/kinds/ruleset/write.js";
import { RulesetsError } from "../../provider/model/errors.js";
import { scopeArguments } from "../../provider/model/ids.js";
import { compareVersions } from "../../provider/rules/compare-versions.js";
import { parseRule } from "../../provider/model/parse-rule.js";
import { contentOf } from "../../provider/rules/content.js";
import { renderDiff } from "../rules/diff/render.js";
import { compareEffects } from "./effect.js";
import {
  findAddress,
  getCurrent,
  getVersion,
  requireRuleset,
  requireVersion,
  type RulesetAddress,
  type RulesetOptions,
} from "./ruleset-address.js";
import { renderDifference } from "./render.js";

export interface RestoreOptions extends RulesetOptions {
  /** Write the version; without it the difference is only shown. */
  readonly yes?: boolean;
  /** The version that was current when the difference was shown: if it no longer is, the command stops. */
  readonly ifCurrent?: string;
}

/**
 * Writes the content of an earlier version as a new version: shown first, written with `--yes`, and checked afterwards against
 * the versions in between. Returns the exit code: 0 the ruleset has that content, 2 the difference is shown and not written, 3
 * the ruleset has changed since it was shown, the write failed, or it undid another change.
 */
export async function restoreVersion(
  version: string,
  options: RestoreOptions,
  openSession: () => Session,
  print: (line: string) => void,
): Promise<0 | 2 | 3> {
  requireVersion(version);
  if (options.ifCurrent !== undefined) requireVersion(options.ifCurrent);
  requireRuleset(options);
  const session = openSession();
  const { client } = session;
  const address = await findAddress(client, options);
  const wanted = await getVersion(client, address, version);
  const current = await getCurrent(client, address);
  if (current.kind === "managed") throw new Error(`${address.where} belongs to Cloudflare and cannot be changed`);
  const desired = desiredOf(address, current);
  const content = contentOfVersion(wanted);
  if (isUpToDate(current, content, desired.target)) {
    print(`${address.where} (version ${current.version}) already matches version ${version}. No request was sent.`);
    return 0;
  }
  if (options.ifCurrent !== undefined && options.ifCurrent !== current.version) {
    print(changedSinceText(address, version, options.ifCurrent, current.version));
    return 3;
  }
  for (const line of planLines(address, current, wanted)) print(line);
  if (options.yes !== true) {
    print(
      `Nothing was written.\nTo continue: ${command(address, `restore ${version}`)} --if-current ${current.version} --yes`,
    );
    return 2;
  }
  return write({ session, print, place: address, version }, desired, current, content);
}

interface Run {
  readonly session: Session;
  readonly print: (line: string) => void;
  readonly place: RulesetAddress;
  readonly version: string;
}

async function write(
  { session, print, place: address, version }: Run,
  desired: Desired,
  current: Ruleset,
  content: Content,
): Promise<0 | 3> {
  try {
    const { ruleset, overwrote } = await replaceRuleset(session, desired, current, content, { operation: "restore" });
    print(`Restored: version ${ruleset.version} matches version ${version}.`);
    print(
      "A stack that manages this ruleset sees this as a change made elsewhere: its next `pulumi up` shows it, and stops if the program differs. " +
        `To keep the restored rules, copy them into the program (${command(address, `show ${version}`)} --typescript).`,
    );
    if (overwrote !== undefined) print(overwrote.message);
    return overwrote === undefined ? 0 : 3;
  } catch (error) {
    if (!(error instanceof RulesetsError)) throw error;
    print(`Not restored: ${error.message}`);
    print(`To continue: check it (${command(address, "list")}), then run the command again.`);
    return 3;
  }
}

/** The ruleset in the form that the write functions take. */
function desiredOf({ scope }: RulesetAddress, { phase, kind, name }: Ruleset): Desired {
  const owner = scopeArguments(scope);
  return desiredFrom({ ...owner, phase, kind, name, rules: {}, order: "" });
}

/** The content of a version, under the refs that keep the IDs of rules that still exist. */
function contentOfVersion({ description, rules }: Ruleset): Content {
  return { description, rules: rules.map((rule) => ({ ...parseRule(contentOf(rule)), ref: rule.ref })) };
}

function planLines(address: RulesetAddress, current: Ruleset, wanted: Ruleset): string[] {
  const difference = compareVersions(current, wanted);
  const again = difference.added.map(({ ref }) => ref);
  return [
    `${address.where}: from version ${current.version}, the current one, to version ${wanted.version}`,
    renderDifference(difference),
    renderDiff(compareEffects(current, wanted)),
    ...(again.length === 0 ? [] : [`These rules are restored with the same refs and new IDs: ${again.join(", ")}`]),
  ];
}

function changedSinceText(address: RulesetAddress, version: string, shown: string, now: string): string {
  return [
    `${address.where} is now at version ${now}: it has changed since version ${shown} was shown. Nothing was written.`,
    "To continue:",
    `  - look at what changed: ${command(address, `diff ${shown} ${now}`)}`,
    `  - to restore version ${version} anyway: ${command(address, `restore ${version}`)}, and follow its output`,
  ].join("\n");
}

function command({ options }: RulesetAddress, words: string): string {
  return `npx pulumi-rulesets versions ${words} ${options}`;
}
