/** A request by which `pulumi up` would change something. Reads are not planned. */
export interface PlannedRequest {
  /** `POST /zones/…/rulesets`. */
  readonly call: string;
  /** The condition under which it is not sent. */
  readonly unless?: string;
}

/** Something that existed already and that the last state of the resource does not have. */
export interface TakenOver {
  readonly id: string;
  /** Whether it is also changed. */
  readonly changes: boolean;
}

/** Something that comparing the old and the new state of a resource does not show. */
export type Unseen =
  /** Somebody else changed something, and that is undone. */
  | "changes by others"
  /** Something that was not read, as `whether somebody else changed …`, and what came back instead. */
  | { readonly notRead: string; readonly why?: string };

/** What `pulumi up` would do to one resource. The preview publishes it for whoever summarizes previews. */
export interface PreviewPlan {
  /** How many rules or items change: `+1 ~0 -0, 2 unchanged`. Missing where that is not known, or there are none. */
  readonly counts?: string;
  readonly writes: readonly PlannedRequest[];
  /** The version of the ruleset that they replace; missing if there is none, or it was not read. */
  readonly replaces?: string;
  /** The ruleset that a new resource takes over as a whole. */
  readonly ruleset?: TakenOver;
  /** By ref, the rules that the resource takes over. */
  readonly rules: Readonly<Record<string, TakenOver>>;
  readonly unseen: readonly Unseen[];
}
