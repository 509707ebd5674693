import type { TextBase } from "./automaton.js";

/** Sets with the same hint, which may be equal. */
interface Group {
  readonly first: TextBase;
  readonly id: number;
  /** The ID by key, once there is a second set. */
  byKey?: Map<string, number>;
}

/** Numbers for sets of strings, equal for equal sets. Keys, which need sorting, are only made of sets with the same hint. */
export class TextIds {
  private readonly known = new Map<TextBase, number>();
  private readonly groups = new Map<string, Group>();

  of(base: TextBase): number {
    const id = this.known.get(base) ?? this.find(base);
    this.known.set(base, id);
    return id;
  }

  private find(base: TextBase): number {
    const hint = hintOf(base);
    const group = this.groups.get(hint);
    const newId = this.known.size + 1;
    if (group === undefined) {
      this.groups.set(hint, { first: base, id: newId });
      return newId;
    }
    group.byKey ??= new Map([[group.first.key, group.id]]);
    const { key } = base;
    const id = group.byKey.get(key) ?? newId;
    group.byKey.set(key, id);
    return id;
  }
}

/** Equal for equal sets: the number of strings and the smallest one, or the key of a set that is not listed. */
function hintOf(base: TextBase): string {
  if (base.values === undefined) return base.key;
  let least: string | undefined;
  for (const value of base.values) if (least === undefined || value < least) least = value;
  return `in ${String(base.values.size)} ${least ?? ""}`;
}
