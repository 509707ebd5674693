import { ApiError, type Client, type RulesetSummary } from "../../../../client/index.js";
import {
  listVersions,
  requireRuleset,
  requireVersion,
  findAddress,
  type RulesetAddress,
  type RulesetOptions,
} from "../ruleset-address.js";
import { newestFirst } from "../../../../core/model/versions.js";
import { plural } from "../../../../core/model/words.js";
import { summaryWords } from "../render.js";

export interface DeleteOptions extends RulesetOptions {
  /** Delete the versions; without it they are only listed. */
  readonly yes?: boolean;
}

type Print = (line: string) => void;
/** 0 nothing is left to delete, 2 some are listed and not deleted, 3 one could not be deleted. */
type ExitCode = 0 | 2 | 3;

/** Deletes versions of a ruleset, oldest first. The current version is rejected before anything is sent. */
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
  const [current, ...earlier] = newestFirst(await listVersions(client, address));
  const wanted = new Set(named);
  if (current !== undefined && wanted.has(current.version))
    throw new Error(
      `version ${current.version} is the current version of ${address.where} and cannot be deleted. Nothing was deleted.`,
    );
  const versions = earlier.filter(({ version }) => wanted.has(version)).reverse();
  for (const { version } of versions) wanted.delete(version);
  for (const version of wanted) print(`version ${version} does not exist: it was deleted, or never created`);
  if (versions.length === 0) {
    print(`${address.where}: no versions to delete`);
    return 0;
  }
  print(`${address.where}: ${plural(versions.length, "version")} to delete`);
  for (const version of versions) print(`  - ${summaryWords(version)}`);
  const command = `To continue: npx pulumi-rulesets versions delete ${named.join(" ")} ${address.options} --yes`;
  if (options.yes !== true) {
    print(`Nothing was deleted. A deleted version cannot be restored.\n${command}`);
    return 2;
  }
  const failed = await deleteListed(versions, { client, address, print });
  if (failed) print(command);
  return failed ? 3 : 0;
}

/** Deletes versions one at a time; returns whether one could not be deleted. */
async function deleteListed(
  versions: readonly RulesetSummary[],
  { client, address, print }: { readonly client: Client; readonly address: RulesetAddress; readonly print: Print },
): Promise<boolean> {
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
  return failed;
}
