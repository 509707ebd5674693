import { Secrets } from "../../client/redaction/secrets.js";
import { withUnknown, type RulesetInput, type ZoneInput } from "../../core/simulator/index.js";
import type { DeclaredResource, DeclaredSecret } from "../testing/load.js";
import type { FilePlace, Steps } from "./text/text-document.js";
import { isList, isObject, type Json, type JsonObject } from "../../core/model/json.js";
import { pathText, type Path } from "../../core/model/path.js";
import { isUnknown, knownText } from "../../core/model/unknown.js";
import type { Unread } from "../../core/model/unread.js";

/** How a program is run to load its rules. */
export interface ProgramOptions {
  /** The stack whose settings are used. @default the only stack with a settings file */
  readonly stack?: string;
  /** `key=value`; overrides the settings of the stack. */
  readonly config?: readonly string[];
  /** A module with mocks for other providers of the program. */
  readonly mocks?: string;
}

/** A source that could not be read, or a part of one. */
export interface SourceFailure extends Unread {
  readonly label: string;
  readonly failure: string;
  /** What would read it. @default a token that may read it */
  readonly cure?: string;
}

/** What would read a part of a zone. */
export const cureOf = ({ cure = "a token that may read them" }: SourceFailure): string => cure;

/** What of a source could not be read, or is not known, and is left out. */
export function unreadOf(source: LoadedRules): readonly SourceFailure[] {
  const { unread = [], unreadLists = [] } = source;
  return [...unread, ...unknownRulesOf(source), ...hiddenPartsOf(source), ...unreadLists];
}

/** The rules of a program that are not known without the engine, and parts of them. */
function unknownRulesOf(source: LoadedRules): readonly SourceFailure[] {
  const whole = source.rulesets.filter(({ isUnknown }) => isUnknown).map(({ label }) => `the rules of ${label}`);
  const parts = isProgram(source) ? partsOf(source).map(({ part, ref }) => `${part}${nameOf(ref)}`) : [];
  return [...whole, ...parts].map((label) => ({
    label,
    failure: `not known without the engine. ${CURE}`,
    cure: MOCKS,
    isUnknown: true,
  }));
}

/** Code of a program that did not run, by its places: it may declare rules. */
export function unreadCode(places: readonly string[]): readonly SourceFailure[] {
  return places.map((place) => ({
    label: `what \`apply\` declares at ${place}`,
    failure: "it waits for a value that is not known without the engine",
    cure: MOCKS,
  }));
}

const MOCKS = "mocks (--mocks) that return it, or the file of a preview";
const CURE = `To continue: use ${MOCKS}`;

/** The same for those who read a verdict. */
export function unknownNotesOn(source: LoadedRules): readonly string[] {
  return unknownRulesOf(source).map(({ label, failure }) => `${label}: ${failure}`);
}

/** Only programs have other resources. */
function isProgram({ resources }: LoadedRules): boolean {
  return resources !== undefined;
}

/** The parts of the rules of a preview that it hides, or does not know yet. */
function hiddenPartsOf(source: LoadedRules): readonly SourceFailure[] {
  if (isProgram(source)) return [];
  return partsOf(source).map(({ part }) => ({
    label: part,
    failure:
      "the preview hides it, or does not know it yet. `pulumi preview` itself checks it if it is a secret, and `pulumi up` if it is " +
      "known only then. To continue: pass --allow-unknown",
    isUnknown: true,
  }));
}

/** The parts of rules that are marked, and the refs of the rules. */
function partsOf({ rulesets }: LoadedRules): readonly { readonly part: string; readonly ref: unknown }[] {
  return rulesets.flatMap(({ label, pending = [] }) =>
    pending.flatMap((rule, index) =>
      hiddenIn(rule, index).map((part) => ({ part: `${label} ${part}`, ref: rule.ref })),
    ),
  );
}

function nameOf(ref: unknown): string {
  return knownText(ref) === "" ? "" : ` (${JSON.stringify(ref)})`;
}

/** Where its action is not known, only the expression of a rule is looked at. */
function hiddenIn({ action, expression, ...rest }: JsonObject, index: number): readonly string[] {
  const rule: Path = ["rules", index];
  if (isUnknown(action)) return [`${pathText(rule)}${isUnknown(expression) ? "" : ", except its expression"}`];
  return unknownPaths({ expression, ...rest }, rule).map(pathText);
}

function unknownPaths(value: Json | undefined, path: Path): readonly Path[] {
  if (isUnknown(value)) return [path];
  if (isList(value)) return value.flatMap((item, index) => unknownPaths(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => unknownPaths(item, [...path, name]));
}

/** The rulesets of a source as requests are judged by them: what only the engine knows decides nothing. */
export function rulesetsOf({ label, rulesets }: LoadedRules): readonly RulesetInput[] {
  return rulesets.map(({ input, isUnknown = false }) => withUnknown(input, isUnknown, label));
}

/** What to know about the rules of a source that are judged although not everything could be read. */
export function notesOn({ notes, unread = [] }: LoadedRules): readonly string[] {
  return [...unread.map(({ label, failure }) => `Could not be read and left out: ${label}: ${failure}`), ...notes];
}

/** A place in a file, as far as it is known. */
export type SourcePlace = Pick<FilePlace, "file"> & Partial<FilePlace>;

/** A ruleset and where it comes from. */
export interface SourceRuleset {
  /** In reports: the name of the resource, `rulesets[2]` of a file, or the phase in a zone. */
  readonly label: string;
  readonly input: RulesetInput;
  /** The kind of its resource, in a program. */
  readonly type?: string;
  /** Whether only the engine knows its rules. */
  readonly isUnknown?: boolean;
  /** What checks of single rules take instead of those in `input`: the engine's marker is in place of what is not known. */
  readonly pending?: readonly JsonObject[];
  /** The file that contains it, and the line: of each part in a file of rulesets, of the resource in a program. */
  readonly place?: (path: Steps) => SourcePlace;
}

/** The rules of one source: a program, a file, or a zone. */
export interface LoadedRules {
  /** In reports: `the program in infra`, `rules.json`, `the zone shop.example.com`. */
  readonly label: string;
  readonly rulesets: readonly SourceRuleset[];
  /** The zone, if the source is one. */
  readonly zone?: ZoneInput & { readonly accountId?: string };
  /** Whether the source is what `pulumi preview --json` wrote. */
  readonly isPreview?: boolean;
  /** What could not be read, and what that means for the result. */
  readonly notes: readonly string[];
  /** Parts of a zone or a program whose rules could not be read, and that are left out. */
  readonly unread?: readonly SourceFailure[];
  /** Why items of lists that its rules use could not be read. */
  readonly unreadLists?: readonly SourceFailure[];
  /** The resources of a program that have no rules. */
  readonly resources?: readonly DeclaredResource[];
  /** By ID, the names of zones that a program has as resources. */
  readonly zoneNames?: ReadonlyMap<string, string>;
  /** The values that the source marks as secret. */
  readonly secrets: readonly DeclaredSecret[];
}

/**
 * Returns what replaces the secrets of sources in a text. All of them at once: if one of two that begin alike were replaced
 * first, the end of the other one would remain.
 */
export function hidingSecretsOf(...sources: readonly LoadedRules[]): (text: string) => string {
  const hidden = new Secrets();
  for (const { path, value } of sources.flatMap(({ secrets }) => secrets)) hidden.add(value, path);
  return (text) => hidden.hide(text);
}

/** Changes every string in a value, for example with {@link hidingSecretsOf}. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const map = (item: unknown): unknown => {
    if (typeof item === "string") return change(item);
    if (Array.isArray(item)) return item.map(map);
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, one]) => [key, map(one)]));
  };
  return map(value) as T;
}
