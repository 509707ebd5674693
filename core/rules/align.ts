/** A name that stands for the content of a rule; undefined for one that equals no other. */
export type Name = string | number | undefined;

/** Beyond this many differences the middle of two lists is not aligned, so that the work grows only with their length. */
const MOST_EDITS = 256;

/**
 * Pairs of positions with equal names, in the same order in both lists: the beginning and the end that they share, and a longest
 * common subsequence of what is between. So of several equal rules those that nobody touched keep their positions.
 */
export function alignNames(before: readonly Name[], after: readonly Name[]): readonly (readonly [number, number])[] {
  const isEqual = (x: number, y: number): boolean => before[x] !== undefined && before[x] === after[y];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isEqual(start, start)) start += 1;
  let end = 0;
  while (end < shorter - start && isEqual(before.length - 1 - end, after.length - 1 - end)) end += 1;
  const inside = commonSubsequence({ width: before.length - start - end, height: after.length - start - end }, (x, y) =>
    isEqual(start + x, start + y),
  );
  return [
    ...Array.from({ length: start }, (_, at) => [at, at] as const),
    ...inside.map(([x, y]) => [start + x, start + y] as const),
    ...Array.from({ length: end }, (_, at) => [before.length - end + at, after.length - end + at] as const),
  ];
}

/** How far each diagonal is reached with as many edits as this is long; odd and even diagonals take turns. */
type Reached = ReadonlyMap<number, number>;

/** A longest common subsequence of two lists, after Myers (1986): "An O(ND) difference algorithm and its variations". */
function commonSubsequence(
  { width, height }: { readonly width: number; readonly height: number },
  isEqual: (x: number, y: number) => boolean,
): readonly (readonly [number, number])[] {
  const steps: Reached[] = [];
  if (width === 0 || height === 0) return [];
  for (let edits = 0; edits <= Math.min(width + height, MOST_EDITS); edits += 1) {
    const last: Reached = steps.at(-1) ?? new Map([[1, 0]]);
    const reached = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOn(diagonal, last).x;
      while (x < width && x - diagonal < height && isEqual(x, x - diagonal)) x += 1;
      reached.set(diagonal, x);
      if (x >= width && x - diagonal >= height) return walkBack([...steps, reached], diagonal);
    }
    steps.push(reached);
  }
  return [];
}

/** Where a diagonal is entered from its neighbours, by leaving out one member of a list. */
function startOn(diagonal: number, last: Reached): { readonly x: number; readonly from: number } {
  const [above = -1, below = -1] = [last.get(diagonal + 1), last.get(diagonal - 1)];
  return above > below ? { x: above, from: diagonal + 1 } : { x: below + 1, from: diagonal - 1 };
}

function walkBack(steps: readonly Reached[], last: number): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let diagonal = last;
  for (let edits = steps.length - 1; edits >= 0; edits -= 1) {
    const start = startOn(diagonal, steps[edits - 1] ?? new Map([[1, 0]]));
    for (let x = (steps[edits]?.get(diagonal) ?? 0) - 1; x >= start.x; x -= 1) pairs.push([x, x - diagonal]);
    diagonal = start.from;
  }
  return pairs.reverse();
}
