import { PLANS } from "../language/index.js";
import { itemsAt, textsAt, type FileValues, type Steps } from "../provider/model/file-values.js";
import { isObject, textOf, type JsonObject } from "../provider/model/json.js";
import {
  DEFAULT_SHARD_SIZE,
  DEFAULT_TOKEN,
  DEFAULT_VARIABLE,
  type AllowedFailures,
  type Amount,
  type FleetDefinition,
  type Gate,
  type StackNames,
  type Token,
  type Wave,
  type WaveShare,
  type ZoneSelection,
} from "./definition.js";
import { parseTagFilter, type TagFilter } from "./tags.js";

const NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
const VARIABLE = /^[A-Za-z_]\w*$/;
/** What Pulumi, gates, exported roll-outs and the shell have in the environment. */
const TAKEN_VARIABLE = /^(?:PULUMI_\w*|FLEET_(?:WAVE|PLAN)|SHARD|FAIL_ON|GH_TOKEN|PARENT_PIPELINE|PATH|HOME)$/;
const GATES = ["prove", "report", "test", "summarize", "run", "wait", "approval"] as const;
/** Of a gate `run`, and of the command that names zones. */
const TIMEOUT = "timeout";
/** What a timer can count. */
const LONGEST_TIMEOUT = 7 * 86_400;
const FAIL_ON = ["weakened", "removed", "drift"] as const;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Reads `fleet.yaml`; `schema/fleet.schema.json` describes it for editors.
 * @throws Error with the place of the first mistake
 */
export function readFleet(source: FileValues): FleetDefinition {
  return new Reader(source).fleet();
}

/** The seconds of a time such as `30m`; undefined for anything else. */
export function secondsIn(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (SECONDS[unit] ?? 1);
}

class Reader {
  constructor(private readonly source: FileValues) {}

  fleet(): FleetDefinition {
    const file = this.members(this.source.value, [], "a fleet", [
      "$schema",
      "program",
      "stacks",
      "zones",
      "shardSize",
      "tokens",
      "waves",
      "failures",
    ]);
    const tokens = itemsAt(this.source, file.tokens, ["tokens"]).map(([one, at]) => this.token(one, at));
    const waves = itemsAt(this.source, file.waves, ["waves"]).map(([one, at]) => this.wave(one, at));
    if (waves.length === 0) throw this.source.errorAt(["waves"], "is required: a list of at least one { name }");
    this.checkOrder(waves);
    this.checkTokens(tokens);
    return {
      program: file.program === undefined ? "." : this.text(file.program, ["program"]),
      stacks: this.stacks(file.stacks),
      zones: this.zones(file.zones),
      shardSize: file.shardSize === undefined ? DEFAULT_SHARD_SIZE : this.whole(file.shardSize, ["shardSize"]),
      tokens: tokens.length === 0 ? [DEFAULT_TOKEN] : tokens,
      waves,
      failures: this.failures(file.failures),
    };
  }

  private checkOrder(waves: readonly Wave[]): void {
    const names = waves.map(({ name }) => name);
    waves.forEach(({ name, share }, index) => {
      if (names.indexOf(name) < index)
        throw this.source.errorAt(["waves", index, "name"], `"${name}" is the name of two waves`);
      if (share.kind === "rest" && index < waves.length - 1)
        throw this.source.errorAt(["waves", index], "has neither zones nor percent, so it must be the last wave");
    });
    if (waves.at(-1)?.share.kind !== "rest")
      throw this.source.errorAt(
        ["waves", waves.length - 1],
        "must have neither zones nor percent: the last wave is for all zones that no other wave has",
      );
  }

  private checkTokens(tokens: readonly Token[]): void {
    const seen = new Set<string>();
    const variables = new Set<string>();
    tokens.forEach(({ accounts, variable = DEFAULT_VARIABLE }, index) => {
      // One token has one quota, and one entry in the environment of an exported roll-out.
      if (variables.has(variable))
        throw this.source.errorAt(
          ["tokens", index],
          `another token is in ${variable} as well: write one token with the accounts of both`,
        );
      variables.add(variable);
      for (const account of accounts ?? ["every other account"]) {
        if (seen.has(account)) throw this.source.errorAt(["tokens", index], `another token is for ${account} as well`);
        seen.add(account);
      }
    });
  }

  private stacks(value: unknown): StackNames {
    if (value === undefined) return { prefix: "fleet-" };
    const at = ["stacks"];
    const { prefix, settings } = this.members(value, at, "the names of stacks", ["prefix", "settings"]);
    const text = prefix === undefined ? "fleet-" : this.text(prefix, [...at, "prefix"]);
    if (!/^[\w.-]+$/.test(text))
      throw this.source.errorAt([...at, "prefix"], "may have letters, digits, -, _ and . only");
    return {
      prefix: text,
      ...(settings === undefined ? {} : { settings: this.text(settings, [...at, "settings"]) }),
    };
  }

  private zones(value: unknown): ZoneSelection {
    if (value === undefined) return {};
    const at = ["zones"];
    const { accounts, include, exclude, plans, tags, command, timeout } = this.members(value, at, "a choice of zones", [
      "accounts",
      "include",
      "exclude",
      "plans",
      "tags",
      "command",
      TIMEOUT,
    ]);
    if (timeout !== undefined && command === undefined)
      throw this.source.errorAt([...at, TIMEOUT], "is for `command` only");
    return {
      ...(accounts === undefined ? {} : { accounts: textsAt(this.source, accounts, [...at, "accounts"]) }),
      ...(include === undefined ? {} : { include: textsAt(this.source, include, [...at, "include"]) }),
      ...(exclude === undefined ? {} : { exclude: textsAt(this.source, exclude, [...at, "exclude"]) }),
      ...(plans === undefined
        ? {}
        : {
            plans: textsAt(this.source, plans, [...at, "plans"]).map((plan) =>
              this.oneOf(plan, PLANS, [...at, "plans"]),
            ),
          }),
      ...(tags === undefined ? {} : { tags: this.tags(tags, [...at, "tags"]) }),
      ...(command === undefined ? {} : { command: this.text(command, [...at, "command"]) }),
      ...(timeout === undefined ? {} : { timeout: this.timeout(timeout, [...at, TIMEOUT]) }),
    };
  }

  private tags(value: unknown, at: Steps): readonly TagFilter[] {
    // `!archived` without quotes is no text in YAML.
    if ([value].flat().some((one) => typeof one !== "string" || one === ""))
      throw this.source.errorAt(at, "must be a text or a list of texts, in quotes if it begins with !");
    return textsAt(this.source, value, at).map((text) => {
      const filter = parseTagFilter(text);
      if (filter !== undefined) return filter;
      throw this.source.errorAt(at, `${JSON.stringify(text)} must be one of key, key=value,value, !key, key!=value`);
    });
  }

  private token(value: unknown, at: Steps): Token {
    const entry = this.members(value, at, "a token", ["variable", "accounts", "requests", "seconds"]);
    const variable = entry.variable === undefined ? undefined : this.text(entry.variable, [...at, "variable"]);
    if (variable !== undefined && !VARIABLE.test(variable))
      throw this.source.errorAt([...at, "variable"], "must be the name of an environment variable, never the token");
    if (variable !== undefined && TAKEN_VARIABLE.test(variable))
      throw this.source.errorAt(
        [...at, "variable"],
        `${variable} has another meaning where the fleet is rolled out. To continue: choose another name, such as CLOUDFLARE_TOKEN_A`,
      );
    return {
      ...(variable === undefined ? {} : { variable }),
      ...(entry.accounts === undefined ? {} : { accounts: textsAt(this.source, entry.accounts, [...at, "accounts"]) }),
      requests: entry.requests === undefined ? DEFAULT_TOKEN.requests : this.whole(entry.requests, [...at, "requests"]),
      seconds: entry.seconds === undefined ? DEFAULT_TOKEN.seconds : this.whole(entry.seconds, [...at, "seconds"]),
    };
  }

  private wave(value: unknown, at: Steps): Wave {
    const entry = this.members(value, at, "a wave", ["name", "zones", "percent", "gates"]);
    const name = this.text(entry.name, [...at, "name"]);
    if (!NAME.test(name))
      throw this.source.errorAt([...at, "name"], "must have lower-case letters, digits and - only, at most 40");
    return {
      name,
      share: this.share(entry, at),
      gates: itemsAt(this.source, entry.gates, [...at, "gates"]).map(([one, place]) => this.gate(one, place)),
    };
  }

  private share({ zones, percent }: JsonObject, at: Steps): WaveShare {
    if (zones !== undefined && percent !== undefined)
      throw this.source.errorAt(at, "has both zones and percent; it must have one of them");
    if (zones !== undefined) return { kind: "zones", patterns: textsAt(this.source, zones, [...at, "zones"]) };
    if (percent === undefined) return { kind: "rest" };
    if (typeof percent !== "number" || !(percent > 0 && percent <= 100))
      throw this.source.errorAt([...at, "percent"], "must be a number above 0, at most 100");
    return { kind: "percent", percent };
  }

  private gate(value: unknown, at: Steps): Gate {
    const entry = this.members(value, at, "a gate", [...GATES, TIMEOUT]);
    const [kind, ...others] = GATES.filter((name) => name in entry);
    if (kind === undefined || others.length > 0)
      throw this.source.errorAt(at, `must be an object with exactly one of ${GATES.join(", ")}`);
    const place = [...at, kind];
    if (TIMEOUT in entry && kind !== "run") throw this.source.errorAt([...at, TIMEOUT], "is for a gate `run` only");
    switch (kind) {
      case "prove":
      case "test":
        return { kind, files: textsAt(this.source, entry[kind], place) };
      case "report": {
        const { baseline } = this.members(entry.report, place, "a gate of a report", ["baseline"]);
        return { kind, baseline: this.text(baseline, [...place, "baseline"]) };
      }
      case "summarize":
        return { kind, failOn: this.oneOf(entry.summarize, FAIL_ON, place) };
      case "run":
        return {
          kind,
          command: this.text(entry.run, place),
          ...(entry.timeout === undefined ? {} : { timeout: this.timeout(entry.timeout, [...at, TIMEOUT]) }),
        };
      case "wait":
        return { kind, seconds: this.duration(entry.wait, place) };
      case "approval":
        return { kind, of: this.text(entry.approval, place) };
    }
  }

  private failures(value: unknown): AllowedFailures {
    const at = ["failures"];
    const { failed = 0, moved = "100%" } =
      value === undefined ? {} : this.members(value, at, "the allowed failures", ["failed", "moved"]);
    return { failed: this.amount(failed, [...at, "failed"]), moved: this.amount(moved, [...at, "moved"]) };
  }

  private amount(value: unknown, at: Steps): Amount {
    if (typeof value === "number" && Number.isInteger(value) && value >= 0) return { shards: value };
    const [, percent] = /^(\d+(?:\.\d+)?) ?%$/.exec(textOf(value)) ?? [];
    if (percent === undefined || Number(percent) > 100)
      throw this.source.errorAt(at, 'must be a number of shards, or a share of them such as "2%"');
    return { percent: Number(percent) };
  }

  private duration(value: unknown, at: Steps): number {
    const seconds = secondsIn(textOf(value));
    if (seconds === undefined) throw this.source.errorAt(at, "must be a time such as 90s, 30m, 2h or 1d");
    return seconds;
  }

  private timeout(value: unknown, at: Steps): number {
    const seconds = this.duration(value, at);
    if (seconds < 1 || seconds > LONGEST_TIMEOUT) throw this.source.errorAt(at, "must be between 1s and 7d");
    return seconds;
  }

  private members(value: unknown, at: Steps, what: string, names: readonly string[]): JsonObject {
    if (!isObject(value)) throw this.source.errorAt(at, `must be an object with ${names.join(", ")}`);
    this.source.rejectUnknownMembers(value, names, at, what);
    return value;
  }

  private text(value: unknown, at: Steps): string {
    if (typeof value !== "string" || value.trim() === "") throw this.source.errorAt(at, "must be a text");
    return value;
  }

  private whole(value: unknown, at: Steps): number {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
      throw this.source.errorAt(at, "must be a whole number of at least 1");
    return value;
  }

  private oneOf<T extends string>(value: unknown, known: readonly T[], at: Steps): T {
    const found = known.find((one) => one === value);
    if (found === undefined) throw this.source.errorAt(at, `must be one of ${known.join(", ")}`);
    return found;
  }
}
