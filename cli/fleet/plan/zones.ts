import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import type { FleetDefinition, Token } from "../../../fleet/definition.js";
import { matchesTags, type TagFilter, type Tags } from "../../../fleet/tags.js";
import { selectFleetZones, tokenOf, withoutZone, type FleetZone } from "../../../fleet/zones.js";
import { messageOf } from "../../../provider/model/errors.js";
import { environmentFor, type FleetContext, type FleetOptions } from "../context.js";

/** The zones of the fleet, in pages of fifty with each token. */
export async function findFleetZones(
  { zones: selection, tokens }: FleetDefinition,
  { file }: FleetOptions,
  context: FleetContext,
): Promise<readonly FleetZone[]> {
  const found = new Map<string, FleetZone>();
  for (const token of tokens) {
    const client = context.connect(environmentFor(token.variable, context.env));
    const accounts = accountsOf(token, selection.accounts);
    const pages =
      accounts === undefined ? [client.zones.list()] : accounts.map((accountId) => client.zones.list({ accountId }));
    for (const { id, name, plan, accountId } of (await Promise.all(pages)).flat())
      if (tokenOf(accountId, tokens) === token) found.set(id, { id, name, plan, accountId });
  }
  const include = selection.command === undefined ? undefined : namesFrom(selection.command, file, context);
  for (const name of withoutZone(selection.include ?? [], [...found.values()]))
    context.printNote(`\`zones.include\` names ${name}, and no zone that a token can access is called so`);
  const selected = selectFleetZones([...found.values()], selection);
  const all =
    selection.tags === undefined ? selected : await withTags(selected, { filters: selection.tags, tokens, context });
  const chosen = include === undefined ? all : selectFleetZones(all, { include });
  if (chosen.length === 0)
    throw new Error("the fleet has no zone: `zones` of fleet.yaml selects none that a token can access");
  const missing = withoutZone(include ?? [], chosen);
  if (missing.length > 0)
    context.printNote(`not in the fleet, although the command of \`zones\` prints it: ${missing.join(", ")}`);
  return [...chosen].sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface TagSelection {
  readonly filters: readonly TagFilter[];
  readonly tokens: readonly Token[];
  readonly context: FleetContext;
}

/** The zones whose tags match, which are read for each account in pages of a hundred. */
async function withTags(
  zones: readonly FleetZone[],
  { filters, tokens, context }: TagSelection,
): Promise<readonly FleetZone[]> {
  const byZone = new Map<string, Tags>();
  for (const account of new Set(zones.map(({ accountId }) => accountId))) {
    const client = context.connect(environmentFor(tokenOf(account, tokens)?.variable, context.env));
    try {
      for (const [zone, tags] of await client.zones.tags(account)) byZone.set(zone, tags);
    } catch (error) {
      throw new Error(
        `\`zones.tags\` of fleet.yaml: the tags of the account ${account} could not be read: ${messageOf(error)}\n` +
          "To continue: give the token the permission to read tags, or select zones by `include` or `command`",
        { cause: error },
      );
    }
  }
  return zones.filter(({ id }) => matchesTags(byZone.get(id) ?? {}, filters));
}

/** The accounts whose zones are listed with a token; undefined for all that it can access. */
function accountsOf({ accounts }: Token, selected: readonly string[] | undefined): readonly string[] | undefined {
  if (accounts === undefined || selected === undefined) return accounts ?? selected;
  return accounts.filter((account) => selected.includes(account));
}

/** What the command prints, one name or ID a line. */
function namesFrom(command: string, file: string, { env }: FleetContext): readonly string[] {
  const { status, stdout, stderr } = spawnSync(command, {
    shell: true,
    encoding: "utf8",
    cwd: dirname(file),
    env: { ...env },
  });
  if (status !== 0) throw new Error(`\`${command}\`, the command of \`zones\`, failed: ${stderr.trim()}`);
  return stdout.split(/\s+/).filter((line) => line !== "");
}
