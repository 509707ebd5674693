import type { Client } from "../../../../client/index.js";
import { newestFirst } from "../../../../core/model/versions.js";
import { compareVersions, isSameVersion } from "../../../../core/rules/compare-versions.js";
import type { Output } from "../../context.js";
import { columnsFor, writeOutput } from "../../write-output.js";
import { renderDiff, toJsonValue } from "../../../rules-files/diff/render.js";
import { compareEffects } from "../effect.js";
import {
  findAddress,
  getVersion,
  listVersions,
  requireRuleset,
  requireVersion,
  type RulesetOptions,
} from "../ruleset-address.js";
import { renderDifference, renderList, renderProgram, renderVersion } from "../render.js";

export interface ReadOptions extends RulesetOptions {
  readonly json?: boolean;
  /** The rules as TypeScript for a program. */
  readonly typescript?: boolean;
  /** File for the output. @default standard output */
  readonly output?: string;
}

type Print = (line: string) => void;

/** Lists the versions of a ruleset: one request. */
export async function runList(options: ReadOptions, connect: () => Client, { print, columns }: Output): Promise<0> {
  requireRuleset(options);
  const client = connect();
  const address = await findAddress(client, options);
  const versions = newestFirst(await listVersions(client, address));
  const text =
    options.json === true
      ? json(versions.map((one, index) => ({ ...one, current: index === 0 })))
      : renderList(versions, columnsFor(options, columns));
  writeOutput(text, options, print);
  return 0;
}

/** Shows one version with its rules: one request. */
export async function runShow(version: string, options: ReadOptions, connect: () => Client, print: Print): Promise<0> {
  if (options.json === true && options.typescript === true)
    throw new Error("--json and --typescript are mutually exclusive");
  requireVersion(version);
  requireRuleset(options);
  const client = connect();
  const address = await findAddress(client, options);
  const found = await getVersion(client, address, version);
  const names = client.rulesets.names.of;
  const text =
    options.json === true
      ? json(found)
      : options.typescript === true
        ? renderProgram(found, names)
        : renderVersion(address.where, found, names);
  writeOutput(text, options, print);
  return 0;
}

/** Compares two versions rule by rule, and reports what the step from one to the other does to requests: two requests. */
export async function runDiff(
  [from, to]: readonly [string, string],
  options: ReadOptions,
  connect: () => Client,
  print: Print,
): Promise<0> {
  [from, to].forEach(requireVersion);
  requireRuleset(options);
  const client = connect();
  const address = await findAddress(client, options);
  const [before, after] = [await getVersion(client, address, from), await getVersion(client, address, to)];
  const difference = compareVersions(before, after);
  const effect = isSameVersion(difference) ? undefined : compareEffects(before, after, new Date());
  const text =
    options.json === true
      ? json({ ...difference, effect: effect === undefined ? undefined : toJsonValue(effect) })
      : [
          `${address.where}: from version ${from} to version ${to}`,
          renderDifference(difference, client.rulesets.names.of),
          ...(effect === undefined ? [] : [renderDiff(effect)]),
        ].join("\n");
  writeOutput(text, options, print);
  return 0;
}

function json(value: unknown): string {
  const plain = (_: string, item: unknown): unknown => (typeof item === "bigint" ? String(item) : item);
  return JSON.stringify(value, plain, 2);
}
