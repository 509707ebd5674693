import type { DeployedRule } from "../../model/ruleset.js";
import type { Position } from "../../model/position.js";
import type { Placing, Step } from "./steps.js";

/** A rule in the order of a ruleset; a rule that is yet to be added has only a ref. */
export interface OrderedRule {
  readonly id?: string;
  /** The program's ref, for a rule of its own. */
  readonly ref?: string;
}

interface Link extends OrderedRule {
  above: Link | undefined;
  below: Link | undefined;
}

/** Every rule in the order that results from the steps, provided that nobody else changes anything. */
export function resultingOrder(
  deployed: readonly Pick<DeployedRule, "id">[],
  ids: ReadonlyMap<string, string>,
  steps: readonly Step[],
): OrderedRule[] {
  const chain = new Chain(deployed, ids);
  for (const step of steps) {
    if (step.kind === "delete") chain.remove(step.id);
    else if (step.kind === "add") chain.put({ ref: step.ref }, step.places);
    else if (step.places !== undefined) chain.move(step.ref, step.places);
  }
  return chain.list();
}

/** A linked list in which rules are found, removed and inserted by lookup. */
class Chain {
  private readonly top: Link = { above: undefined, below: undefined };
  private bottom = this.top;
  private readonly byId = new Map<string, Link>();
  private readonly byRef = new Map<string, Link>();

  constructor(deployed: readonly Pick<DeployedRule, "id">[], ids: ReadonlyMap<string, string>) {
    const refOf = new Map([...ids].map(([ref, id]) => [id, ref]));
    for (const { id } of deployed) {
      const ref = refOf.get(id);
      this.link({ id, ...(ref === undefined ? {} : { ref }) }, this.bottom);
    }
  }

  put(rule: OrderedRule, places: readonly Placing[]): void {
    for (const place of places) {
      const above = "exact" in place ? this.above(place.exact) : this.beside(place);
      if (above === undefined) continue;
      this.link(rule, above);
      return;
    }
    this.link(rule, this.bottom);
  }

  private beside({ side, of }: Exclude<Placing, { readonly exact: Position }>): Link | undefined {
    const neighbour = "ref" in of ? this.byRef.get(of.ref) : this.byId.get(of.id);
    return side === "after" ? neighbour : neighbour && (neighbour.above ?? this.top);
  }

  private above(position: Position): Link {
    if (!("index" in position)) return "before" in position ? this.top : this.bottom;
    let above = this.top;
    for (let index = 1; index < position.index && above.below !== undefined; index += 1) above = above.below;
    return above;
  }

  move(ref: string, places: readonly Placing[]): void {
    const { id } = this.byRef.get(ref) ?? {};
    if (id === undefined) return;
    this.remove(id);
    this.put({ id, ref }, places);
  }

  remove(id: string): void {
    const link = this.byId.get(id);
    if (link === undefined) return;
    if (link.above !== undefined) link.above.below = link.below;
    if (link.below === undefined) this.bottom = link.above ?? this.top;
    else link.below.above = link.above;
    this.byId.delete(id);
    if (link.ref !== undefined) this.byRef.delete(link.ref);
  }

  list(): OrderedRule[] {
    const list: OrderedRule[] = [];
    for (let link = this.top.below; link !== undefined; link = link.below) {
      const { id, ref } = link;
      list.push({ ...(id === undefined ? {} : { id }), ...(ref === undefined ? {} : { ref }) });
    }
    return list;
  }

  private link(rule: OrderedRule, above: Link): void {
    const link: Link = { ...rule, above, below: above.below };
    if (above.below === undefined) this.bottom = link;
    else above.below.above = link;
    above.below = link;
    if (rule.id !== undefined) this.byId.set(rule.id, link);
    if (rule.ref !== undefined) this.byRef.set(rule.ref, link);
  }
}
