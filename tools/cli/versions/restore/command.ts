import type { Ruleset } from "../../../../client/index.js";
import type { Session } from "../../../../provider/engine/session.js";
import { RulesetsError } from "../../../../core/model/errors.js";
import { joinNames } from "../../../../core/model/words.js";
import { compareVersions } from "../../../../core/rules/compare-versions.js";
import {
  findListsOfVersion,
  planRestoration,
  type ListsOfVersion,
  type Restoration,
} from "../../../../provider/restore.js";
import { renderDiff } from "../../../rules-files/diff/render.js";
import { compareEffects } from "../effect.js";
import {
  findAddress,
  getCurrent,
  getVersion,
  requireRuleset,
  requireVersion,
  type RulesetAddress,
  type RulesetOptions,
} from "../ruleset-address.js";
import { renderDifference } from "../render.js";

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
  const restoration = planRestoration(session, address.scope, current, wanted);
  if (restoration.isDone) {
    print(`${address.where} (version ${current.version}) already matches version ${version}. Nothing was written.`);
    return 0;
  }
  if (options.ifCurrent !== undefined && options.ifCurrent !== current.version) {
    print(changedSinceText(address, version, options.ifCurrent, current.version));
    return 3;
  }
  for (const line of planLines(address, current, wanted)) print(line);
  const lists = await findListsOfVersion(session, address.scope, current, wanted);
  if (lists.kind !== "found") print(listsText(version, lists));
  if (lists.kind === "missing") return 3;
  if (options.yes !== true) {
    print(
      `Nothing was written.\nTo continue: ${command(address, `restore ${version}`)} --if-current ${current.version} --yes`,
    );
    return 2;
  }
  return write(restoration, { print, place: address, version });
}

function listsText(version: string, lists: Exclude<ListsOfVersion, { readonly kind: "found" }>): string {
  const shown = joinNames(lists.names.map((name) => `$${name}`));
  if (lists.kind === "not read")
    return `could not check whether the account still has ${shown}, which rules of version ${version} use: ${lists.why}`;
  return (
    `rules of version ${version} use ${shown}, and the account has no such list any more, so the service would refuse them. Nothing ` +
    "was written.\nTo continue: create the list with its items first, then run the command again."
  );
}

interface Run {
  readonly print: (line: string) => void;
  readonly place: RulesetAddress;
  readonly version: string;
}

async function write(restoration: Restoration, { print, place: address, version }: Run): Promise<0 | 3> {
  try {
    const { ruleset, overwrote } = await restoration.write();
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

function planLines(address: RulesetAddress, current: Ruleset, wanted: Ruleset): string[] {
  const difference = compareVersions(current, wanted);
  const again = difference.added.map(({ ref }) => ref);
  return [
    `${address.where}: from version ${current.version}, the current one, to version ${wanted.version}`,
    renderDifference(difference),
    renderDiff(compareEffects(current, wanted, new Date())),
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
