import type { ChangedRule, EffectChange } from "../../../core/managed/lock-changes.js";
import { withOtherEffect } from "../../../core/managed/lock-changes.js";
import { withManagedName } from "../../../core/managed/rulesets.js";
import { markdownText } from "../../../core/model/markdown.js";
import { joinNames, plural } from "../../../core/model/words.js";
import type { JudgedManaged } from "./judge.js";

/** What `managed diff` shows. */
interface ManagedDiff extends JudgedManaged {
  readonly file: string;
  readonly unread: readonly string[];
}

/** The version of the JSON format, incremented by every breaking change. */
const DIFF_VERSION = 1;

export function render(
  diff: ManagedDiff,
  { json, markdown }: { readonly json?: boolean; readonly markdown?: boolean },
): string {
  if (json === true) return JSON.stringify(jsonValue(diff), undefined, 2);
  const sections = sectionsOf(diff).filter(({ lines }) => lines.length > 0);
  if (markdown === true)
    return [
      markdownText(summary(diff)),
      ...sections.map(
        ({ title, lines }) => `**${title}**\n\n${lines.map((line) => `- ${markdownText(line)}`).join("\n")}`,
      ),
    ].join("\n\n");
  return [
    ...sections.map(({ title, lines }) => `${title}:\n${lines.map((line) => `- ${line}`).join("\n")}`),
    summary(diff),
  ].join("\n\n");
}

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What matters most first: what stops requests now, and what no longer does. */
function sectionsOf({ changes, dead, notExecuted, file, unread }: ManagedDiff): readonly Section[] {
  const changed = withOtherEffect(changes);
  const effects = (is: (change: EffectChange) => boolean): readonly string[] =>
    changed.flatMap((rule) => rule.effects.filter(is).map((change) => effectLine(rule, change)));
  const starts = ({ before, after }: EffectChange): boolean => after?.stops === true && before?.stops !== true;
  const ends = ({ before, after }: EffectChange): boolean => before?.stops === true && after?.stops !== true;
  return [
    { title: "Stop requests now", lines: effects(starts) },
    { title: "No longer stop requests", lines: effects(ends) },
    { title: "Do something else", lines: effects((change) => !starts(change) && !ends(change)) },
    {
      title: "Merged into other rules, by their names",
      lines: changes.rules.flatMap(({ before, mergedInto, ruleset }) =>
        before === undefined || mergedInto === undefined
          ? []
          : [`${ruleset.name}: ${named(before)} into ${named(mergedInto)}`],
      ),
    },
    {
      title: "Overrides and skip lists that name nothing",
      lines: dead.map(({ message, places }) => `${placesText(places)}: ${message}`),
    },
    {
      title: "Changed without effect here",
      lines: changes.rules
        .filter(({ effects: own, mergedInto }) => own.length === 0 && mergedInto === undefined)
        .map(quietLine),
    },
    {
      title: `Not in ${file}`,
      lines: changes.notLocked.map(({ id, name }) => `${withManagedName(id, () => name)} is executed`),
    },
    {
      title: `In ${file}, and no longer executed`,
      lines: notExecuted.map(({ id, name }) => withManagedName(id, () => name)),
    },
    { title: "Could not be read", lines: unread },
  ];
}

function named({ id, name }: { readonly id: string; readonly name: string }): string {
  return withManagedName(id, () => (name === "" ? undefined : name));
}

/** `Cloudflare Managed Ruleset: 5de7… ("Wordpress …") log → block in shop.example.com`. */
function effectLine(
  { ruleset, before, after, kind }: ChangedRule,
  { before: was, after: is, places }: EffectChange,
): string {
  const rule = after ?? before;
  const from = kind === "new" ? "new" : (was?.words ?? "off");
  const to = kind === "gone" ? "gone" : (is?.words ?? "off");
  return `${ruleset.name}: ${rule === undefined ? "" : named(rule)}: ${from} → ${to} in ${placesText(places)}`;
}

function quietLine({ ruleset, before, after, kind, details, now }: ChangedRule): string {
  const rule = after ?? before;
  const what =
    kind === "new"
      ? `new, ${[...new Set(now.map((one) => one.after?.words ?? "off"))].join(" or ") || "not executed"}`
      : kind === "gone"
        ? "gone, was off"
        : details.join("; ");
  return `${ruleset.name}: ${rule === undefined ? "" : named(rule)}: ${what}`;
}

const SHOWN = 5;

function placesText(places: readonly string[]): string {
  return joinNames([...new Set(places)].toSorted(), SHOWN);
}

function summary({ changes, dead, notExecuted, outOfDate, differs, file, unread }: ManagedDiff): string {
  const versions = changes.versions.map(({ ruleset, before, after }) => `${ruleset.name} ${before} → ${after}`);
  const effects = withOtherEffect(changes).length;
  const others = changes.rules.length - effects;
  const parts = [
    ...(effects === 0 ? [] : [`${plural(effects, "rule")} ${effects === 1 ? "does" : "do"} something else here`]),
    ...(others === 0 ? [] : [`${plural(others, "other rule")} changed`]),
    ...(dead.length === 0
      ? []
      : [
          dead.length === 1
            ? "1 override or skip entry names nothing"
            : `${String(dead.length)} overrides or skip entries name nothing`,
        ]),
    ...(changes.notLocked.length === 0 ? [] : [`${plural(changes.notLocked.length, "ruleset")} not locked`]),
    ...(notExecuted.length === 0 ? [] : [`${plural(notExecuted.length, "ruleset")} no longer executed`]),
  ];
  const open = unread.length === 0 ? "" : ` ${plural(unread.length, "part")} could not be read.`;
  const rest = unread.length === 0 ? `${file} is up to date` : `Nothing that could be read differs from ${file}`;
  if (!differs) return `${rest}.${open}`;
  const since = versions.length === 0 ? "" : ` (${versions.join(", ")})`;
  if (!outOfDate)
    return `${rest}, but ${joinNames(parts)}. To continue: change or remove ${dead.length === 1 ? "it" : "them"}.${open}`;
  const next = " To accept the changes: npx pulumi-rulesets managed lock";
  return `${file} is out of date${since}: ${joinNames(parts.length === 0 ? ["another version without changed rules"] : parts)}.${open}${next}`;
}

function jsonValue({ changes, dead, notExecuted, outOfDate, matters, file, unread }: ManagedDiff): object {
  const effect = ({ places, before, after }: EffectChange): object => ({
    places,
    before: before?.words ?? null,
    after: after?.words ?? null,
    startsToStop: after?.stops === true && before?.stops !== true,
    endsToStop: before?.stops === true && after?.stops !== true,
  });
  return {
    version: DIFF_VERSION,
    file,
    upToDate: !outOfDate,
    matters,
    versions: changes.versions,
    rules: changes.rules.map(({ effects, now, ...rule }) => ({
      ...rule,
      effects: effects.map(effect),
      ...(rule.kind === "new" ? { now: now.map(effect) } : {}),
    })),
    dead,
    notLocked: changes.notLocked,
    notExecuted: notExecuted.map(({ id, name }) => ({ id, name })),
    unread,
  };
}
