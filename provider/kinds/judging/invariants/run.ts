import { readInvariantFiles } from "../../../../invariants/files.js";
import type { NamedInvariant } from "../../../../invariants/invariant.js";
import type { ListsInput } from "../../../../simulator/lists.js";
import type { Session } from "../../../engine/session.js";
import type { DeclaredRuleset } from "./declared.js";
import { DeployedZones } from "./deployed.js";

/** The lists that a zone was judged with: those of its account that its rules and the invariants name. */
interface JudgedLists {
  readonly accountId: string;
  readonly names: readonly string[];
  readonly lists: ListsInput;
}

/** The invariants of a run, and what its resources declare. */
export class InvariantsOfRun {
  readonly zones: DeployedZones;
  /** By URN, in the order of their checks. */
  readonly declared = new Map<string, DeclaredRuleset>();
  /** By zone, those of the last judgement. */
  readonly lists = new Map<string, JudgedLists>();
  /** What was said about zones as they are. */
  readonly said = new Set<string>();
  /** Zones that violated something also without the resource that was checked, or did not prove it. */
  readonly open = new Set<string>();
  /** Whether the program declares rules of a zone that it creates. */
  hasNewZone = false;
  #invariants?: readonly NamedInvariant[];

  constructor(private readonly session: Session) {
    this.zones = new DeployedZones(session);
  }

  /** @throws Error with the place of the first mistake in a file */
  get invariants(): readonly NamedInvariant[] {
    return (this.#invariants ??= readInvariantFiles(this.session.invariants).invariants);
  }
}

export const invariantsOfRun = (session: Session): InvariantsOfRun => new InvariantsOfRun(session);
