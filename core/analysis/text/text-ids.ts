import type { TextBase } from "./automaton.js";

/** Numbers for sets of strings, equal for equal sets. */
export class TextIds {
  private readonly known = new Map<TextBase, number>();
  private readonly byKey = new Map<string, number>();

  of(base: TextBase): number {
    const known = this.known.get(base);
    if (known !== undefined) return known;
    const { key } = base;
    const id = this.byKey.get(key) ?? this.byKey.size + 1;
    this.byKey.set(key, id);
    this.known.set(base, id);
    return id;
  }
}
