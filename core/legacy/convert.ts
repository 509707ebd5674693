import {
  MAX_EXPRESSION,
  type Conversion,
  type ConvertOptions,
  type Left,
  type NewList,
  type NewRule,
  type Note,
} from "./new-rules.js";
import {
  LOCKDOWN,
  PAGE_RULE,
  rulesOf,
  unknownStronger,
  unknownWeaker,
  type OldRule,
  type OldRules,
} from "./old-rules.js";
import { convertPageRules, redirectsAll } from "./page-rules.js";
import { canMeet } from "./pattern.js";
import { convertRateLimits } from "./rate-limits.js";
import { convertSecurity, lockdownOrder, lockdownsMeet } from "./security.js";

/** Converts old rules into those of the phases that replace them. */
export function convert(old: OldRules, options: ConvertOptions = {}): Conversion {
  const security = convertSecurity(old, options);
  const limits = convertRateLimits(old, options.plan);
  // A page rule that turns out to be left alone keeps its URLs, so that weaker ones are converted anew.
  let left: Left = new Map();
  for (;;) {
    const pages = convertPageRules(old.pageRules, left, options.plan);
    const rules = [...pages.rules, ...security.rules, ...limits.rules].filter(
      ({ from }) => !from.some((id) => left.has(id)),
    );
    const refused = rules.flatMap((rule) => {
      const reason = refusalOf(rule, options);
      return reason === undefined ? [] : rule.from.map((id) => [id, reason] as const);
    });
    if (refused.length === 0) {
      const notes = [...pages.notes, ...notesOf(old, left), ...security.notes, ...limits.notes];
      const idsOf = (wanted: Note["kind"]): ReadonlySet<string> =>
        new Set(notes.flatMap(({ kind, rule }) => (kind === wanted ? [rule.id] : [])));
      const [leftAlone, obsolete] = [idsOf("left"), idsOf("obsolete")];
      const others = [...unknownUrls(old), ...returningRules(old, leftAlone)].filter(
        ({ rule }) => !leftAlone.has(rule.id) && !obsolete.has(rule.id),
      );
      const isUsed = ({ name }: NewList): boolean =>
        rules.some(({ expression }) => expression.includes(` in $${name}`));
      return { rules, lists: security.lists.filter(isUsed), notes: [...notes, ...others] };
    }
    left = new Map([...left, ...refused]);
  }
}

function refusalOf(rule: NewRule, { listSuffix, refusalOf: more }: ConvertOptions): string | undefined {
  return listSuffix !== undefined && rule.expression.length > MAX_EXPRESSION ? TOO_LONG : more?.(rule);
}

/** Of page rules, the conversion itself tells why they are left alone. */
function notesOf(old: OldRules, left: Left): readonly Note[] {
  const isPage = new Set(old.pageRules.map(({ id }) => id));
  return [
    ...rulesOf(old).flatMap((rule): readonly Note[] => {
      const text = isPage.has(rule.id) ? undefined : left.get(rule.id);
      return text === undefined ? [] : [{ rule, text, kind: "left" }];
    }),
    ...old.notConverted.map((rule): Note => ({ rule, text: rule.reason, kind: "left" })),
  ];
}

/** A rule whose URLs are not known may be stronger than one that is converted. */
function unknownUrls(old: OldRules): readonly Note[] {
  const noteOf = (rule: OldRule, kind: string, priority: number): readonly Note[] =>
    unknownStronger(old, kind, priority).map(({ label }) => ({
      rule,
      text: `where ${label} also matches, which is at least as strong and left alone, the new rule applies now: leave its URLs out`,
      kind: "lacks",
    }));
  return [
    ...old.pageRules.flatMap((rule) => noteOf(rule, PAGE_RULE, rule.priority)),
    ...old.lockdowns.flatMap((rule) => noteOf(rule, LOCKDOWN, rule.priority ?? Infinity)),
  ];
}

/** A rule that is left alone applies to the URLs of a stronger one as soon as that is turned off. */
function returningRules(old: OldRules, left: ReadonlySet<string>): readonly Note[] {
  const noteOf = (rule: OldRule, weaker: readonly OldRule[]): readonly Note[] =>
    weaker.map(({ label }) => ({
      rule,
      text: `once it is turned off, ${label}, which is left alone, also applies to its URLs: turn that one off first`,
      kind: "lacks",
    }));
  const isLeft = ({ id }: OldRule): boolean => left.has(id);
  const { sorted } = lockdownOrder(old.lockdowns);
  return [
    ...old.pageRules.flatMap((rule, index) =>
      redirectsAll(rule)
        ? []
        : noteOf(rule, [
            ...old.pageRules.slice(index + 1).filter((one) => isLeft(one) && canMeet(one.pattern, rule.pattern)),
            ...unknownWeaker(old, PAGE_RULE, rule.priority),
          ]),
    ),
    ...sorted.flatMap((rule, index) =>
      noteOf(rule, [
        ...sorted.slice(index + 1).filter((one) => isLeft(one) && lockdownsMeet(one, rule)),
        ...unknownWeaker(old, LOCKDOWN, rule.priority ?? Infinity),
      ]),
    ),
  ];
}

const TOO_LONG = `the condition of its new rule would be longer than ${String(MAX_EXPRESSION)} characters: give it a narrower URL, or delete stronger rules and lockdowns that are no longer needed`;
