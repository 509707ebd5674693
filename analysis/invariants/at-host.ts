import { makeRequest } from "../../language/index.js";
import { questionsOf, REQUEST_PHASES, seenByRules, type Question, type Questions } from "../../simulator/index.js";
import type { RulesetInput } from "../../simulator/ruleset-input.js";
import { listsIn } from "../formula/known-lists.js";
import { isHostOf } from "../zones.js";
import { atHost, Experiment, hostOf, programOf, scopeOf, type Shown } from "./experiment.js";
import type { Invariant } from "./invariant.js";
import { prove, type ProveInput } from "./prove.js";

type Zone = Required<Pick<ProveInput, "rulesets" | "zone">>;

/** A request that violates an invariant in a zone. */
interface Violation {
  readonly shown: Shown;
  /** The zone, if the request is for a host of its own; undefined if it is for a host that rules name, in any zone. */
  readonly zoneName: string | undefined;
}

/** What is known of an invariant in zones with the same rules. */
interface Known {
  readonly experiment: Experiment;
  readonly hosts: HostQuestions;
  readonly violations: Violation[];
  /** The answers for hosts of zones for which no request was found with a host of their own. */
  readonly searched: Set<string>;
}

/**
 * Finds, for zones with the same rules, the request of each that violates an invariant: the one that was found in another zone, with
 * a host of its own. It is run only if a rule tells the hosts apart.
 */
export class SameForOthers {
  private readonly known = new Map<Invariant, Known>();
  private readonly readsHost: boolean;
  private readonly texts: string;

  /** @param zone in which the requests were found */
  constructor(private readonly zone: Zone) {
    this.texts = JSON.stringify(zone.rulesets.map(({ rules }) => rules)).toLowerCase();
    this.readsHost = mayReadHost(this.texts);
  }

  /** The request for another zone that has a name. */
  forZone({ rulesets, zone }: Zone, zoneName: string, invariant: Invariant, found: Shown): Shown {
    const known = this.knownOf(invariant, found);
    if (!this.readsHost && !mayReadHost(invariant.requests))
      return withHost(found, inZone(known.violations[0], zoneName));
    for (const violation of known.violations) {
      if (violation.zoneName === undefined) continue;
      const host = inZone(violation, zoneName);
      if (known.hosts.areSame(violation.shown, host)) return withHost(violation.shown, host);
      const shown = known.experiment.atHost(violation.shown, host);
      if (shown === undefined) continue;
      known.violations.push({ shown, zoneName });
      return shown;
    }
    // Rules that do not name the zone answer the same for its hosts as for those of any other that they do not name.
    const answers = this.texts.includes(zoneName.toLowerCase()) ? undefined : known.hosts.answersAt(found, zoneName);
    if (answers !== undefined && known.searched.has(answers)) return found;
    const [own] = prove({ rulesets, zone, invariants: [invariant] });
    if (own?.verdict !== "violated") return found;
    if (isHostOf(zoneName, hostOf(own))) known.violations.push({ shown: own, zoneName });
    else if (answers !== undefined) known.searched.add(answers);
    return own;
  }

  private knownOf(invariant: Invariant, found: Shown): Known {
    const { rulesets, zone } = this.zone;
    const known = this.known.get(invariant) ?? {
      experiment: new Experiment(invariant, {
        rulesets,
        zone,
        host: zone.name,
        lists: listsIn(rulesets),
        uses: new Set(),
      }),
      hosts: new HostQuestions(invariant, this.zone),
      violations: [{ shown: found, zoneName: isHostOf(zone.name ?? "", hostOf(found)) ? zone.name : undefined }],
      searched: new Set<string>(),
    };
    this.known.set(invariant, known);
    return known;
  }
}

/** What rules and an invariant ask about the host of a request. */
class HostQuestions {
  private readonly questions: Questions | undefined;
  private readonly aboutHost: readonly Question[];
  /** Whether they ask about the host alone, which no rule rewrites: all else is the same at each host. */
  private readonly areAlone: boolean;

  constructor(invariant: Invariant, { rulesets, zone }: Zone) {
    const program = dependsOtherwise(rulesets) ? undefined : programOf(rulesets);
    this.questions =
      program === undefined
        ? undefined
        : questionsOf({ before: program, after: scopeOf(invariant, listsIn(rulesets)) }, zone.id);
    this.aboutHost = (this.questions?.all ?? []).filter(({ text }) => mayReadHost(text));
    this.areAlone = this.aboutHost.every(({ fields }) => fields.size === 1 && fields.has("http.host"));
  }

  /** Whether a request is treated in the same way at another host. False if that is not certain. */
  areSame(shown: Shown, host: string): boolean {
    const answers = this.answersAt(shown, hostOf(shown));
    return answers !== undefined && answers === this.answersAt(shown, host);
  }

  /** The answers about a host of a request; undefined if what happens depends on more. */
  answersAt({ input }: Shown, host: string): string | undefined {
    if (this.questions === undefined) return undefined;
    const request = makeRequest({ ...input, lists: undefined, url: atHost(input.url.toString(), host) });
    if (!this.areAlone && this.questions.dependsOnMore(request)) return undefined;
    const seen = seenByRules(request);
    return JSON.stringify(this.aboutHost.map(({ answer }) => seen.map((one) => answer(one).value)));
  }
}

/** Whether a rule does something with the host that no condition says. */
function dependsOtherwise(rulesets: readonly RulesetInput[]): boolean {
  return rulesets.some(
    ({ kind, phase, rules }) =>
      rules.some(({ actionParameters = {} }) =>
        /http\.host|full_uri|request\.headers|from_?list/i.test(JSON.stringify(actionParameters)),
      ) ||
      ((kind === "zone" || kind === "root") && !REQUEST_PHASES.includes(phase) && mayReadHost(JSON.stringify(rules))),
  );
}

/** Whether an expression may read the host. */
function mayReadHost(text: string): boolean {
  return /http\.host|full_uri|request\.headers|sni/i.test(text.replaceAll(OTHER_HEADER, ""));
}

/** A header by a name that is not `host`. */
const OTHER_HEADER = /http\.request\.headers\[\\?"(?!host\\?")[^"]*"\]/gi;

/** The host of a violation, moved to another zone. */
function inZone(violation: Violation | undefined, zoneName: string): string {
  if (violation?.zoneName === undefined) return zoneName;
  const host = hostOf(violation.shown);
  return host.slice(0, host.length - violation.zoneName.length) + zoneName;
}

/** A request that does the same for every host. */
function withHost({ input, request, text, trace }: Shown, host: string): Shown {
  const was = hostOf({ input });
  const to = (one: string): string => one.replace(`://${was}`, `://${host}`);
  return { input: { ...input, url: atHost(input.url.toString(), host) }, request: to(request), text: to(text), trace };
}
