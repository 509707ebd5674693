import { makeRequest } from "../../language/index.js";
import { questionsOf, runsForRequests, seenByRules, type Question, type Questions } from "../../simulator/index.js";
import type { RulesetInput } from "../../simulator/ruleset-input.js";
import { listsIn } from "../formula/known-lists.js";
import { isHostOf } from "../zones.js";
import { atHost, Experiment, hostOf, type Shown } from "./experiment.js";
import type { Invariant } from "./invariant.js";
import { prove, type ProveInput } from "./prove.js";

type Zone = Required<Pick<ProveInput, "rulesets" | "zone">> & Pick<ProveInput, "now">;

/** A request that violates an invariant in a zone. */
interface Violation {
  readonly shown: Shown;
  /** The zone, if the request is for a host of its own; undefined if it is for a host that rules name, in any zone. */
  readonly zoneName: string | undefined;
}

/**
 * Finds, for zones with the same rules, the request of each that violates an invariant: the one that was found in the first zone, with
 * a host of its own. It is run only if a rule tells the hosts apart.
 */
export class SameForOthers {
  private readonly first: Violation;
  private readonly experiment: Experiment;
  private readonly hosts: HostQuestions;
  private readonly texts: string;
  /** By the answers about the host of the first request, moved to a zone: what violates the invariant there. */
  private readonly violations = new Map<string, Violation>();

  /** @param zone in which the request was found */
  constructor(
    private readonly invariant: Invariant,
    zone: Zone,
    private readonly found: Shown,
  ) {
    const { rulesets, now } = zone;
    const { name } = zone.zone;
    this.first = violationIn(name, found);
    this.experiment = new Experiment(invariant, {
      ...zone,
      now,
      host: name,
      lists: listsIn(rulesets),
      uses: new Set(),
    });
    this.hosts = new HostQuestions(this.experiment, zone);
    this.texts = JSON.stringify(rulesets.map(({ rules }) => rules)).toLowerCase();
    const answers = this.first.zoneName === undefined ? undefined : this.hosts.answersAt(found, hostOf(found));
    if (answers !== undefined) this.violations.set(answers, this.first);
  }

  /** The request for another zone that has a name. */
  forZone(zone: Zone, zoneName: string): Shown {
    const { first, found, hosts, violations } = this;
    const host = inZone(first, zoneName);
    // Rules that do not name the zone answer the same for its hosts as for those of any other that they do not name.
    const answers = this.texts.includes(zoneName.toLowerCase()) ? undefined : hosts.answersAt(found, host);
    const same = answers === undefined ? undefined : violations.get(answers);
    if (same !== undefined) {
      if (same.zoneName === undefined) return same.shown;
      const moved = inZone(same, zoneName);
      if (hosts.areSame(same.shown, moved)) return withHost(same.shown, moved);
    }
    const shown =
      (first.zoneName === undefined ? undefined : this.experiment.atHost(found, host)) ??
      violationOf(zone, this.invariant) ??
      found;
    if (answers !== undefined) violations.set(answers, violationIn(zoneName, shown));
    return shown;
  }
}

/** A request that violates an invariant in a zone, found there by itself. */
function violationOf({ rulesets, zone, now }: Zone, invariant: Invariant): Shown | undefined {
  const [proof] = prove({ rulesets, zone, now, invariants: [invariant] });
  return proof?.verdict === "violated" ? proof : undefined;
}

function violationIn(zoneName: string | undefined, shown: Shown): Violation {
  return { shown, zoneName: zoneName !== undefined && isHostOf(zoneName, hostOf(shown)) ? zoneName : undefined };
}

/** What rules and an invariant ask about the host of a request. */
class HostQuestions {
  private readonly questions: Questions | undefined;
  private readonly aboutHost: readonly Question[];
  /** Whether they ask about the host alone, which no rule rewrites: all else is the same at each host. */
  private readonly areAlone: boolean;

  constructor({ program, scope }: Experiment, { rulesets, zone }: Zone) {
    this.questions =
      program === undefined || dependsOtherwise(rulesets)
        ? undefined
        : questionsOf({ before: program, after: scope }, zone.id);
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
    if (this.aboutHost.length === 0) return "";
    const request = makeRequest({ ...input, url: atHost(input.url.toString(), host) });
    if (!this.areAlone && this.questions.dependsOnMore(request)) return undefined;
    const seen = seenByRules(request);
    return JSON.stringify(this.aboutHost.map(({ answer }) => seen.map((one) => answer(one).value)));
  }
}

/** Whether a rule does something with the host that no condition says. */
function dependsOtherwise(rulesets: readonly RulesetInput[]): boolean {
  return rulesets.some(
    ({ kind = "zone", phase, rules }) =>
      rules.some(({ actionParameters }) => isAboutHost(JSON.stringify(actionParameters ?? {}))) ||
      (!runsForRequests({ kind, phase }) && mayReadHost(JSON.stringify(rules))),
  );
}

/** Whether parameters of an action may read the host: a list of redirects compares the URL. */
function isAboutHost(text: string): boolean {
  return mayReadHost(text) || /from_?list/i.test(text);
}

/** Whether an expression may read the host. */
function mayReadHost(text: string): boolean {
  return /http\.host|full_uri|request\.headers|sni/i.test(text.replaceAll(OTHER_HEADER, ""));
}

/** A header by a name that is not `host`. */
const OTHER_HEADER = /http\.request\.headers\[\\?"(?!host\\?")[^"]*"\]/gi;

/** The host of a violation, moved to another zone. */
function inZone({ shown, zoneName: own }: Violation, zoneName: string): string {
  return own === undefined ? zoneName : hostOf(shown).slice(0, -own.length) + zoneName;
}

/** A request that does the same for every host. */
function withHost({ input, request, text, trace }: Shown, host: string): Shown {
  const was = hostOf({ input });
  const to = (one: string): string => one.replace(`://${was}`, `://${host}`);
  return { input: { ...input, url: atHost(input.url.toString(), host) }, request: to(request), text: to(text), trace };
}
