import { dirname } from "node:path";
import type { FleetDefinition, Token } from "../../../fleet/definition.js";
import { selectFleetZones, tokenOf, withoutZone, type FleetZone } from "../../../fleet/zones.js";
import { joinNames } from "../../../../core/model/words.js";
import { NoAnswer } from "../../../rules-files/no-answer.js";
import { listZones, type ZoneFailure } from "../../zones.js";
import { environmentFor, withoutTokens, type FleetContext, type FleetOptions } from "../context.js";
import { runCommand } from "../own-command.js";

/** The zones of the fleet, in pages of fifty with each token. */
export async function findFleetZones(
  definition: FleetDefinition,
  options: FleetOptions,
  context: FleetContext,
): Promise<readonly FleetZone[]> {
  const { zones: selection, tokens } = definition;
  const found = new Map<string, FleetZone>();
  for (const token of tokens) {
    const client = context.connect(environmentFor(token.variable, context.env));
    const accounts = accountsOf(token, selection.accounts)?.filter((account) => tokenOf(account, tokens) === token);
    const { zones, failures } = await listZones(client, accounts);
    const [failure] = failures;
    if (failure !== undefined) throw unlisted(failure, token);
    for (const { id, name, plan, accountId } of zones)
      if (tokenOf(accountId, tokens) === token) found.set(id, { id, name, plan, accountId });
  }
  const { command } = selection;
  const named = command === undefined ? undefined : await namesFrom(command, definition, options, context);
  for (const name of withoutZone(selection.include ?? [], [...found.values()]))
    context.printNote(`\`zones.include\` names ${name}, but no zone that a token can access has that name`);
  const selected = selectFleetZones([...found.values()], selection);
  const chosen =
    named === undefined ? selected : selected.filter((zone) => namesOf(zone).some((name) => named.has(name)));
  if (chosen.length === 0)
    throw new Error("the fleet has no zone: `zones` of fleet.yaml selects none that a token can access");
  const there = new Set(chosen.flatMap(namesOf));
  const missing = [...(named ?? [])].flatMap(([name, printed]) => (there.has(name) ? [] : [printed]));
  if (missing.length > 0) {
    const names = withoutTokens(joinNames(missing, 20), context.env);
    context.printNote(`not in the fleet, although the command of \`zones\` prints it: ${names}`);
  }
  return [...chosen].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Zones that are not listed would have left the fleet, and a rollout would delete their rules. */
function unlisted({ label, failure }: ZoneFailure, { variable }: Token): NoAnswer {
  const which = variable === undefined ? "the token" : `the token in ${variable}`;
  return new NoAnswer(
    `the zones of the fleet could not be read: ${label}: ${failure}\n` +
      `To continue: plan again once ${which} can list them, or leave out in fleet.yaml what has no zones`,
  );
}

function namesOf({ id, name }: FleetZone): readonly string[] {
  return [id, name.toLowerCase()];
}

/** The accounts whose zones are listed with a token; undefined for all that it can access. */
function accountsOf({ accounts }: Token, selected: readonly string[] | undefined): readonly string[] | undefined {
  if (accounts === undefined || selected === undefined) return accounts ?? selected;
  return accounts.filter((account) => selected.includes(account));
}

/** More than the longest names of a hundred thousand zones. */
const MOST_PRINTED = 32_000_000;

/** What the command prints, one name or ID a line, by its lower case. Anything else is a mistake of the command: it may mean any zone. */
async function namesFrom(
  command: string,
  { zones: { timeout } }: FleetDefinition,
  { file }: FleetOptions,
  { env }: FleetContext,
): Promise<ReadonlyMap<string, string>> {
  const failed = (why: string): Error =>
    new Error(withoutTokens(`\`${command}\`, the command of \`zones\`: ${why}`, env));
  const { code, why, isLate, printed, stdout } = await runCommand({
    ...{ command, timeout, folder: dirname(file), env, most: MOST_PRINTED },
  });
  const said = printed === "" ? "" : `: ${printed}`;
  if (why !== undefined)
    throw failed(
      `${why}${said}\nTo continue: fix it${isLate === true ? ", or give it more time, such as `timeout: 30m` beside `command`" : ""}`,
    );
  if (code !== 0) throw failed(`it failed with exit code ${String(code)}${said}`);
  const lines = stdout.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const wrong = lines.find((line) => !/^[\p{L}\p{N}._-]+$/u.test(line));
  if (wrong !== undefined)
    throw failed(
      `it printed ${JSON.stringify(withoutTokens(wrong, env).slice(0, 100))}, which is neither the name nor the ID of a zone`,
    );
  if (lines.length === 0) throw failed("it printed no zone");
  return new Map(lines.map((line) => [line.toLowerCase(), line]));
}
