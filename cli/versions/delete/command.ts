import { ApiError, type Client } from "../../../provider/client/index.js";
import {
  listVersions,
  requireRuleset,
  requireVersion,
  findAddress,
  type RulesetAddress,
  type RulesetOptions,
} from "../ruleset-address.js";
import { planNamedDeletion, planPrune, type Deletion } from "./deletion.js";
import { countWords, summaryWords } from "../render.js";

export interface DeleteOptions extends RulesetOptions {
  /** Delete the versions; without it they are only listed. */
  readonly yes?: boolean;
}

export interface PruneOptions extends DeleteOptions {
  /** How many versions to keep, including the current one. */
  readonly keep: string;
}

type Print = (line: string) => void;
/** 0 nothing is left to delete, 2 some are listed and not deleted, 3 one could not be deleted. */
type ExitCode = 0 | 2 | 3;

/** Deletes single versions of a ruleset. The current version is rejected before anything is sent. */
export async function deleteVersions(
  named: readonly string[],
  options: DeleteOptions,
  connect: () => Client,
  print: Print,
): Promise<ExitCode> {
  named.forEach(requireVersion);
  requireRuleset(options);
  const client = connect();
  const address = await findAddress(client, options);
  const deletion = planNamedDeletion(await listVersions(client, address), named);
  if (deletion.current !== undefined)
    throw new Error(
      `version ${deletion.current} is the current version of ${address.where} and cannot be deleted. Nothing was deleted.`,
    );
  for (const version of deletion.missing) print(`version ${version} does not exist: it was deleted, or never created`);
  return deleteListed(address, deletion, { client, print, options, again: `delete ${named.join(" ")}` });
}

/** Deletes all but the newest versions of a ruleset. */
export async function pruneVersions(options: PruneOptions, connect: () => Client, print: Print): Promise<ExitCode> {
  const keep = Number(options.keep);
  if (!/^\d+$/.test(options.keep) || !Number.isSafeInteger(keep) || keep < 1)
    throw new Error(
      `--keep must be a whole number of at least 1, not ${options.keep}: the current version always stays`,
    );
  requireRuleset(options);
  const client = connect();
  const address = await findAddress(client, options);
  const deletion = planPrune(await listVersions(client, address), keep);
  return deleteListed(address, deletion, { client, print, options, again: `prune --keep ${options.keep}` });
}

interface Run {
  readonly client: Client;
  readonly print: Print;
  readonly options: DeleteOptions;
  /** The command to run again. */
  readonly again: string;
}

async function deleteListed(
  address: RulesetAddress,
  { versions }: Deletion,
  { client, print, options, again }: Run,
): Promise<ExitCode> {
  if (versions.length === 0) {
    print(`${address.where}: no versions to delete`);
    return 0;
  }
  print(`${address.where}: ${countWords(versions.length)} to delete`);
  for (const version of versions) print(`  - ${summaryWords(version)}`);
  const command = `To continue: npx pulumi-rulesets versions ${again} ${address.options} --yes`;
  if (options.yes !== true) {
    print(`Nothing was deleted. A deleted version cannot be restored.\n${command}`);
    return 2;
  }
  client.pace.expect(versions.length);
  let failed = false;
  for (const { id, version } of versions) {
    try {
      await client.rulesets.deleteVersion(address.scope, id, version);
      print(`deleted version ${version}`);
    } catch (error) {
      if (error instanceof ApiError && error.code === "API_NOT_FOUND") print(`version ${version} was already deleted`);
      else {
        failed = true;
        print(`not deleted version ${version}: ${(error as Error).message}`);
      }
    }
  }
  if (failed) print(command);
  return failed ? 3 : 0;
}
