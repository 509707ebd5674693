import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../../../../client/index.js";
import { compileVersions, type RulesetInput } from "../../../../core/simulator/index.js";
import { type ProgramOptions, mapTexts } from "../../../rules-files/loaded.js";
import { readPair, requireWhole, type Pair } from "../source/pair.js";
import { documentOf } from "../../../rules-files/saved.js";
import { writeFile } from "../../write-output.js";
import { judgeFiles } from "./count.js";
import { readDefaults, type DefaultOptions } from "./defaults.js";
import { digestOf } from "./partial-file.js";
import { hasRateLimits, withoutRateLimits } from "./rate-limits.js";
import { reportReplay, type ReplayExitCode, type ReportOptions } from "./report.js";
import { ReplayResult } from "./result.js";
import { findFiles } from "./sources.js";

export interface ReplayCommand extends ProgramOptions, DefaultOptions, ReportOptions {
  readonly before?: string;
  readonly after?: string;
  /** Without `before`, the zone whose deployed rules are used; otherwise the ID of the zone that the requests were sent to. */
  readonly zone?: string;
  /** Instead of files: replay the requests that the analytics of the zone have, since a time such as `7d`. */
  readonly since?: string;
  /** `false` with --no-rate-limits: leave them out. */
  readonly rateLimits?: boolean;
  /** A folder for both versions of the rules as files; no request is read then. */
  readonly saveRules?: string;
}

interface ReplayContext {
  readonly connect: () => Client;
  readonly print: (line: string) => void;
  /** Of this package. */
  readonly version: string;
  /** Milliseconds since the epoch. @default the machine's clock */
  readonly now?: () => number;
}

/** Runs recorded requests through both versions of the rules, and returns the exit code. */
export async function runReplay(
  named: readonly string[],
  options: ReplayCommand,
  context: ReplayContext,
): Promise<ReplayExitCode> {
  const { since, zone, after, saveRules } = options;
  if (after === undefined)
    throw new Error("--after is required: the rules to compare with what is deployed, or with --before");
  if (saveRules !== undefined) {
    if (named.length > 0 || since !== undefined) throw new Error("--save-rules replays no requests: leave them out");
    const pair = requireWhole(await readPair(options.before, after, options, context.connect));
    return writeRules(saveRules, pair, context.print);
  }
  if (since !== undefined) {
    if (named.length > 0) throw new Error("--since replays analytics, so it takes no files");
    if (options.partial !== undefined) throw new Error("--partial is for files: analytics are read as a whole");
    if (zone === undefined) throw new Error("--since needs --zone, whose analytics are read");
    const { runAnalyticsReplay } = await import("./analytics/command.js");
    const { connect, print, now = Date.now } = context;
    return runAnalyticsReplay({ ...options, since, zone, after }, { client: connect(), print, now: now() });
  }
  if (named.length === 0) throw new Error("pass files of requests, or --since with --zone for those of analytics");
  if (options.partial !== undefined && !options.looser)
    throw new Error("--no-looser needs all requests: pass it to `rules replay merge`");
  return replayFiles(findFiles(named), { ...options, after }, context);
}

async function replayFiles(
  files: readonly string[],
  options: ReplayCommand & { readonly after: string },
  { connect, print, version }: ReplayContext,
): Promise<ReplayExitCode> {
  const defaults = readDefaults(options);
  const read = await readPair(options.before, options.after, options, connect);
  const pair = options.partial === undefined ? read : requireWhole(read);
  const zone = options.before === undefined ? undefined : options.zone;
  const leavesOut = options.partial !== undefined || options.rateLimits === false;
  const [before, after] = leavesOut ? [pair.before, pair.after].map(withoutRateLimits) : [pair.before, pair.after];
  const isLimited = hasRateLimits([...pair.before, ...pair.after]);
  const draws = JSON.stringify([before, after]).includes("cf.random_seed");
  const result = await judgeFiles(files, compileVersions(before ?? [], after ?? []), { zone, defaults, draws });
  for (const note of pair.notes) result.notes.add(note);
  result.withoutLimits = leavesOut && isLimited;
  if (result.withoutLimits) result.notes.add("Rate limits are left out: they need all requests in order.");
  const shown = new ReplayResult();
  shown.add(mapTexts(JSON.parse(JSON.stringify(result)) as object, pair.hide));
  const about: readonly unknown[] = [rulesOf(before), rulesOf(after), zone, { ...defaults, fields: options.field }];
  const code = reportReplay(
    shown,
    { ...options, head: { version, rules: digestOf(mapTexts(about, pair.hide)), runs: [randomUUID()] } },
    print,
  );
  const isWhole = pair.unread.length === 0 || options.looser || options.allowUnknown === true;
  return code === 0 && !isWhole ? 3 : code;
}

/** Writes both versions for other machines, and returns the exit code. */
function writeRules(folder: string, { before, after, hide }: Pair, print: (line: string) => void): 0 {
  // Lists and rules in clear text: nothing in them may be secret.
  const rules = [before, after];
  if (JSON.stringify(mapTexts(rules, hide)) !== JSON.stringify(rules))
    throw new Error(
      "--save-rules would write secrets of the program in clear text. " +
        "To continue: replay where the program can be run, or take the secrets out of the rules",
    );
  const files = [before, after].map((rulesets, index) => {
    const file = join(folder, index === 0 ? "before.json" : "after.json");
    return { file, text: documentOf(rulesets, file) };
  });
  mkdirSync(folder, { recursive: true });
  for (const one of files) writeFile(one.file, one.text);
  print(`wrote ${files.map(({ file }) => file).join(" and ")}`);
  return 0;
}

/** What rules say, without where they are from. */
function rulesOf(rulesets: readonly RulesetInput[] = []): readonly object[] {
  return rulesets.map(({ owner: _owner, ...ruleset }) => ruleset);
}
