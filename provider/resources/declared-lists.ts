import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../model/json.js";
import { declaredInProgram, needed, waitingFor, waitsOf, type Declared } from "./waits.js";

/** A list of this program in a ruleset that it shares, whose rules have refs. */
interface DeclaredList extends Declared {
  readonly place: Place;
  readonly refs: ReadonlySet<string>;
}

/** The arguments that say which ruleset it is. */
interface Place {
  readonly zoneId?: unknown;
  readonly accountId?: unknown;
  readonly phase?: unknown;
}

const listsOfProgram = declaredInProgram<DeclaredList>();

/** Records a list that shares its ruleset: a rule whose position names one of its rules comes after it. */
export function noteList(resource: pulumi.Resource, args: object, opts: pulumi.CustomResourceOptions | null): void {
  const { zoneId, accountId, phase, ownership, rules } = args as Place & { ownership?: unknown; rules?: unknown };
  if (ownership !== "shared" || !Array.isArray(rules)) return;
  const refs = rules.flatMap((rule) => (isObject(rule) && typeof rule.ref === "string" ? [rule.ref] : []));
  if (refs.length === 0) return;
  const place = { zoneId, accountId, phase };
  listsOfProgram().push({ resource, place, refs: new Set(refs), waits: waitsOf(args, opts ?? {}) });
}

/**
 * The options of a rule whose position names another rule by its ref: with the list of this program that contains it in
 * `dependsOn`, so that the list is written first. A list counts only if it cannot depend on the rule: the program would wait
 * forever.
 */
export function afterLists(
  args: object | undefined,
  given: pulumi.CustomResourceOptions | null,
): pulumi.CustomResourceOptions {
  const opts = given ?? {};
  const { position, zoneId, accountId, phase } = (args ?? {}) as Place & { position?: unknown };
  const { before, after } = isObject(position) ? position : {};
  const name = [before, after].find((each): each is string => typeof each === "string" && each !== "");
  if (name === undefined || opts.id !== undefined || phase === undefined) return opts;
  const isNamed = ({ refs, place }: DeclaredList): boolean =>
    refs.has(name) && isSamePlace(place, { zoneId, accountId, phase });
  return waitingFor(opts, [needed(waitsOf({ ...args }, opts), listsOfProgram(), isNamed)]);
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.zoneId === other.zoneId && one.accountId === other.accountId && one.phase === other.phase;
}
