import type { FileValues, Steps } from "../../core/model/file-values.js";
import { readBySchema } from "../../core/files/file-schema.js";
import {
  schema,
  type Amount as WrittenAmount,
  type Fleet,
  type Gate as WrittenGate,
  type Wave as WrittenWave,
} from "../../core/files/generated/validate-fleet.js";
import {
  DEFAULT_SHARD_SIZE,
  DEFAULT_VARIABLE,
  type Amount,
  type FleetDefinition,
  type Gate,
  type Token,
  type Wave,
  type WaveShare,
  type ZoneSelection,
} from "./definition.js";

/** What a timer can count. */
const LONGEST_TIMEOUT = 7 * 86_400;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Reads `fleet.yaml`.
 * @throws FileError all mistakes that its schema finds with their places, or the first one of what its parts say together
 */
export function readFleet(source: FileValues): FleetDefinition {
  const { program = ".", stacks, zones = {}, shardSize = DEFAULT_SHARD_SIZE, ...file } = readBySchema(source, schema);
  const tokens = (file.tokens ?? []).map(({ accounts, ...token }): Token => ({ ...token, accounts: listOf(accounts) }));
  const waves = file.waves.map((wave, index) => waveOf(source, wave, ["waves", index]));
  checkOrder(source, waves);
  checkTokens(source, tokens);
  return {
    program,
    stacks: { prefix: "fleet-", ...stacks },
    zones: zonesOf(source, zones),
    shardSize,
    tokens: tokens.length === 0 ? [{}] : tokens,
    waves,
    failures: { failed: amountOf(file.failures?.failed ?? 0), moved: amountOf(file.failures?.moved ?? "100%") },
  };
}

/** The seconds of a time such as `30m`; undefined for anything else. */
export function secondsIn(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (SECONDS[unit] ?? 1);
}

function checkOrder(source: FileValues, waves: readonly Wave[]): void {
  const names = waves.map(({ name }) => name);
  waves.forEach(({ name, share }, index) => {
    if (names.indexOf(name) < index)
      throw source.errorAt(["waves", index, "name"], `"${name}" is the name of two waves`);
    if (share.kind === "rest" && index < waves.length - 1)
      throw source.errorAt(["waves", index], "has neither zones nor percent, so it must be the last wave");
  });
  if (waves.at(-1)?.share.kind !== "rest")
    throw source.errorAt(
      ["waves", waves.length - 1],
      "must have neither zones nor percent: the last wave is for all zones that no other wave has",
    );
}

function checkTokens(source: FileValues, tokens: readonly Token[]): void {
  const seen = new Set<string>();
  const variables = new Set<string>();
  tokens.forEach(({ accounts, variable = DEFAULT_VARIABLE }, index) => {
    // One token has one entry in the environment of an exported rollout.
    if (variables.has(variable))
      throw source.errorAt(
        ["tokens", index],
        `another token is in ${variable} as well: write one token with the accounts of both`,
      );
    variables.add(variable);
    for (const account of accounts ?? ["every other account"]) {
      if (seen.has(account)) throw source.errorAt(["tokens", index], `another token is for ${account} as well`);
      seen.add(account);
    }
  });
}

function zonesOf(source: FileValues, zones: NonNullable<Fleet["zones"]>): ZoneSelection {
  const { accounts, include, exclude, plans, command, timeout } = zones;
  return {
    accounts: listOf(accounts),
    include: listOf(include),
    exclude: listOf(exclude),
    plans: listOf(plans),
    command,
    timeout: timeout === undefined ? undefined : timeoutOf(source, timeout, ["zones", "timeout"]),
  };
}

/** A text or a list of texts, as a list. */
function listOf<T extends string>(texts: T | readonly T[] | undefined): readonly T[] | undefined {
  return typeof texts === "string" ? [texts] : texts;
}

function waveOf(source: FileValues, wave: WrittenWave, at: Steps): Wave {
  const { name, gates = [] } = wave;
  return {
    name,
    share: shareOf(wave),
    gates: gates.map((gate, index) => gateOf(source, gate, [...at, "gates", index])),
  };
}

function shareOf({ zones, percent }: WrittenWave): WaveShare {
  if (zones !== undefined) return { kind: "zones", patterns: [zones].flat() };
  return percent === undefined ? { kind: "rest" } : { kind: "percent", percent };
}

function gateOf(source: FileValues, gate: WrittenGate, at: Steps): Gate {
  const { prove, test, summarize, run, timeout, wait, approval } = gate;
  if (prove !== undefined) return { kind: "prove", files: [prove].flat() };
  if (test !== undefined) return { kind: "test", files: [test].flat() };
  if (summarize !== undefined) return { kind: "summarize", failOn: summarize };
  if (wait !== undefined) return { kind: "wait", seconds: secondsAt(source, wait, [...at, "wait"]) };
  if (approval !== undefined) return { kind: "approval", of: approval };
  return {
    kind: "run",
    command: run,
    ...(timeout === undefined ? {} : { timeout: timeoutOf(source, timeout, [...at, "timeout"]) }),
  };
}

function amountOf(amount: WrittenAmount): Amount {
  return typeof amount === "number" ? { shards: amount } : { percent: Number.parseFloat(amount) };
}

function timeoutOf(source: FileValues, text: string, at: Steps): number {
  const seconds = secondsAt(source, text, at);
  if (seconds > LONGEST_TIMEOUT) throw source.errorAt(at, "must be a time between 1s and 7d, such as 10m");
  return seconds;
}

function secondsAt(source: FileValues, text: string, at: Steps): number {
  const seconds = secondsIn(text);
  if (seconds === undefined) throw source.errorAt(at, "must be a time such as 90s, 30m, 2h or 1d");
  return seconds;
}
