import { prove, SameForOthers, type Open, type Proof } from "../analysis/index.js";
import type { Finding, FindingCode } from "../language/index.js";
import type { RulesetInput, ZoneInput, ListInput } from "../simulator/index.js";
import { appliesTo, exceptionFor, expiredWords, type Applies } from "./applies.js";
import type { Exception, NamedInvariant } from "./invariant.js";
import { dayOf } from "../model/day.js";
import { requestFaults } from "./requests.js";

/** A zone and everything that its requests meet. */
export interface JudgedZone {
  /** In reports: `shop.example.com`, `the program in infra`. */
  readonly label: string;
  readonly zone: ZoneInput;
  readonly rulesets: readonly RulesetInput[];
  /** What of it is not known, such as the rulesets of its account; nothing is certain then. */
  readonly open?: readonly Open[];
  /** Why further rules may be of the zone: nothing is proved without them. */
  readonly mayHaveMore?: readonly Open[];
}

/** The verdict about an invariant in a zone. `excepted`: it is not proved, and an exception applies. */
export interface ZoneVerdict {
  readonly invariant: NamedInvariant;
  readonly zone: JudgedZone;
  readonly verdict: Proof["verdict"] | "excepted";
  readonly proof: Proof;
  /** The exception for the zone, whether it still applies or not. */
  readonly exception?: Exception;
}

/** Whether a gate fails: what is not decided may as well be violated. */
export function fails(verdict: ZoneVerdict["verdict"], allowUnknown: boolean): boolean {
  return verdict === "violated" || (verdict === "unknown" && !allowUnknown);
}

/** What is wrong with the file of invariants itself: an error if an invariant says nothing, so that a gate does not pass. */
export interface InvariantFinding extends Finding {
  readonly code: FindingCode;
  readonly invariant: NamedInvariant;
  /** Index in `except`, if it is about an exception. */
  readonly exception?: number;
}

export interface Judged {
  /** One for each invariant and zone that it applies to, in the order of the invariants. */
  readonly verdicts: readonly ZoneVerdict[];
  readonly findings: readonly InvariantFinding[];
}

interface JudgeInput {
  readonly invariants: readonly NamedInvariant[];
  readonly zones: readonly JudgedZone[];
  /** Requests from then on count, and exceptions that have not expired by then. */
  readonly now: Date;
  /** Whether these are all zones there are, so that an invariant that applies to none of them is a mistake. */
  readonly isWhole: boolean;
}

/** Judges invariants in zones. Zones with equal rules are judged once. */
export function judgeZones({ invariants, zones, now, isWhole }: JudgeInput): Judged {
  const today = dayOf(now);
  const prover = new Prover(invariants, Math.floor(now.getTime() / 1000));
  const verdicts = invariants.flatMap((invariant) =>
    zones.flatMap((zone): ZoneVerdict[] => {
      const applies = appliesTo(invariant.zones, zone.zone);
      return applies === false ? [] : [verdictOf(invariant, zone, prover.proofFor(invariant, zone, applies), today)];
    }),
  );
  return { verdicts, findings: findingsOf(invariants, verdicts, { zones, today, isWhole }) };
}

function verdictOf(invariant: NamedInvariant, zone: JudgedZone, proof: Proof, today: string): ZoneVerdict {
  const exception = exceptionFor(invariant.except, zone.zone);
  const isExcepted = exception !== undefined && exception.until >= today && proof.verdict !== "proved";
  return { invariant, zone, verdict: isExcepted ? "excepted" : proof.verdict, proof, exception };
}

const NOT_JUDGED: Proof = { verdict: "unknown", open: [] };

/** What is proved in the first of several zones with equal rules. */
interface Found {
  readonly zone: JudgedZone;
  readonly proof: Proof;
  others?: SameForOthers;
}

class Prover {
  /** By the signature of a zone. */
  private readonly found = new Map<string, Map<NamedInvariant, Found>>();
  private readonly known = new Map<JudgedZone, string>();
  private readonly signatures: Signatures;

  /** @param now in seconds since 1970 */
  constructor(
    private readonly invariants: readonly NamedInvariant[],
    private readonly now: number,
  ) {
    this.signatures = new Signatures(invariants.map(({ requests }) => requests));
  }

  proofFor(invariant: NamedInvariant, zone: JudgedZone, applies: Exclude<Applies, false>): Proof {
    const found = this.find(invariant, zone);
    const open = [
      ...(zone.open ?? []),
      ...(applies === true
        ? []
        : [
            {
              why: `the invariant may not apply, because the ${applies.missing} of the zone is not known`,
              decidedBy: applies.missing === "plan" ? "--plan, or --zone" : "--zone",
            },
          ]),
    ];
    const { mayHaveMore = [] } = zone;
    if (found.verdict === "proved" && mayHaveMore.length > 0)
      return { verdict: "unknown", open: [...open, ...mayHaveMore] };
    if (open.length === 0) return found;
    // What is proved of these rules need not hold with others, and what violates it may be stopped by others.
    if (applies !== true && (zone.open ?? []).length === 0 && found.verdict === "proved") return found;
    return { verdict: "unknown", open: [...(found.verdict === "unknown" ? found.open : []), ...open] };
  }

  private find(invariant: NamedInvariant, zone: JudgedZone): Proof {
    const found = this.firstOf(invariant, zone);
    const { proof } = found;
    const { name } = zone.zone;
    if (proof.verdict !== "violated" || name === undefined || name === found.zone.zone.name) return proof;
    found.others ??= new SameForOthers(invariant, this.at(found.zone), proof);
    return { verdict: "violated", ...found.others.forZone(this.at(zone), name) };
  }

  private firstOf(invariant: NamedInvariant, zone: JudgedZone): Found {
    const signature = this.signatureOf(zone);
    const found = this.found.get(signature) ?? new Map<NamedInvariant, Found>();
    this.found.set(signature, found);
    if (!found.has(invariant)) {
      const applying = this.invariants.filter((one) => !found.has(one) && appliesTo(one.zones, zone.zone) !== false);
      const proofs = prove({ ...this.at(zone), invariants: applying });
      applying.forEach((one, index) => found.set(one, { zone, proof: proofs[index] ?? NOT_JUDGED }));
    }
    return found.get(invariant) ?? { zone, proof: NOT_JUDGED };
  }

  private at({ rulesets, zone }: JudgedZone): Pick<JudgedZone, "rulesets" | "zone"> & { readonly now: number } {
    return { rulesets, zone, now: this.now };
  }

  private signatureOf(zone: JudgedZone): string {
    const signature = this.known.get(zone) ?? this.signatures.of(zone.rulesets, zone.zone);
    this.known.set(zone, signature);
    return signature;
  }
}

function findingsOf(
  invariants: readonly NamedInvariant[],
  verdicts: readonly ZoneVerdict[],
  { zones, today, isWhole }: Pick<JudgeInput, "zones" | "isWhole"> & { readonly today: string },
): readonly InvariantFinding[] {
  return invariants.flatMap((invariant): InvariantFinding[] => {
    const own = verdicts.filter((one) => one.invariant === invariant);
    const others = [
      ...planFindings(invariant, own),
      ...invariant.except.flatMap((exception, index): InvariantFinding[] => {
        const found = exceptionFinding(exception, own, { today, isWhole });
        return found === undefined ? [] : [{ severity: "warning", invariant, exception: index, ...found }];
      }),
    ];
    const nothing = (code: FindingCode, message: string): InvariantFinding[] => [
      { code, severity: "error", invariant, message },
      ...others,
    ];
    if (own.length > 0 && own.every(({ proof }) => proof.verdict === "proved" && proof.isVacuous === true))
      return nothing("matches-no-request", "no request can match it, so it says nothing");
    if (own.length > 0 || !isWhole || zones.length === 0) return others;
    return nothing("applies-to-no-zone", "it applies to none of the zones");
  });
}

/** That rules cannot read, on the plans of the zones, what the invariant reads. */
function planFindings(invariant: NamedInvariant, verdicts: readonly ZoneVerdict[]): readonly InvariantFinding[] {
  const plans = [...(invariant.zones.plans ?? []), ...verdicts.flatMap(({ zone }) => zone.zone.plan ?? [])];
  return requestFaults(invariant.requests, plans).map(({ message }) => ({
    code: "not-in-plan",
    severity: "warning",
    invariant,
    message: `${message}. Choose zones that have it, with \`zones: { plan: … }\``,
  }));
}

function exceptionFinding(
  exception: Exception,
  verdicts: readonly ZoneVerdict[],
  { today, isWhole }: Pick<JudgeInput, "isWhole"> & { readonly today: string },
): Pick<InvariantFinding, "code" | "message"> | undefined {
  const { zone, until } = exception;
  if (until < today) return { code: "exception-expired", message: expiredWords(exception) };
  const about = verdicts.filter((one) => one.exception === exception);
  if (about.length === 0)
    return isWhole
      ? { code: "exception-unused", message: `the exception for ${zone} matches no zone that the invariant applies to` }
      : undefined;
  // Another zone that a pattern means may need it.
  const isJudged = isWhole || !zone.includes("*");
  return isJudged && about.every(({ proof }) => proof.verdict === "proved")
    ? {
        code: "exception-not-needed",
        message: `the exception for ${zone} is no longer needed: the invariant is proved there`,
      }
    : undefined;
}

/**
 * Texts that are equal for zones in which every invariant has the same verdict: the rules, without the IDs and names that each
 * zone has of its own.
 */
class Signatures {
  /** Zones of an account share its lists, which may be long. */
  private readonly lists = new Map<ListInput, number>();

  /** @param requests the filters of the invariants */
  constructor(private readonly requests: readonly string[]) {}

  of(rulesets: readonly RulesetInput[], zone: ZoneInput): string {
    const own = ownIds(rulesets);
    const meanings = rulesets.map((ruleset) => this.meaningOf(ruleset));
    const text = JSON.stringify(meanings, (_, value: unknown) =>
      typeof value === "string" ? (own.get(value) ?? value) : value,
    );
    const readsZone = [text, ...this.requests].some((one) => one.includes("cf.zone."));
    return JSON.stringify([text, zone.urlNormalization, readsZone ? [zone.name, zone.plan] : []]);
  }

  private meaningOf({ zoneId: _, owner: __, name: ___, accountId, lists = {}, ...ruleset }: RulesetInput): object {
    const numbered = Object.entries(lists).map(([name, list]) => [name, this.numberOf(list)]);
    return { ...ruleset, lists: numbered, level: accountId === undefined ? "zone" : "account" };
  }

  private numberOf(list: ListInput): number {
    const number = this.lists.get(list) ?? this.lists.size;
    this.lists.set(list, number);
    return number;
  }
}

/** What stands for each ID, so that references to rulesets and rules stay told apart. */
function ownIds(rulesets: readonly RulesetInput[]): ReadonlyMap<string, string> {
  const ids = rulesets.flatMap(({ id, rules }, index) => [
    [id, `#${String(index)}`] as const,
    ...rules.map((rule, position) => [rule.id, `#${String(index)}.${String(position)}`] as const),
  ]);
  return new Map(ids.flatMap(([id, mark]) => (id === undefined ? [] : [[id, mark] as const])));
}
