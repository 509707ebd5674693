import type { Automaton } from "../text/automaton.js";

/** Letters and digits first, so that examples read well. */
const PREFERRED = [
  ...Array.from("abcdefghijklmnopqrstuvwxyz0123456789-/._ABCDEFGHIJKLMNOPQRSTUVWXYZ", (c) => c.charCodeAt(0)),
  ...Array.from({ length: 95 }, (_, index) => 32 + index),
  ...Array.from({ length: 256 }, (_, byte) => byte),
];

/** One byte for each combination of byte classes of the automata. */
export function lettersOf(automata: readonly Automaton[]): readonly number[] {
  let classes = new Uint16Array(256);
  let count = 1;
  for (const automaton of automata) {
    const joined = new Uint16Array(256);
    const known = new Map<number, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const pair = (classes[byte] ?? 0) * 256 + (automaton.classes[byte] ?? 0);
      const label = known.get(pair) ?? known.size;
      known.set(pair, label);
      joined[byte] = label;
    }
    classes = joined;
    count = known.size;
  }
  const seen = new Uint8Array(count);
  return PREFERRED.filter((byte) => {
    const label = classes[byte] ?? 0;
    if (seen[label] === 1) return false;
    seen[label] = 1;
    return true;
  });
}
