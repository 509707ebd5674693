/** A number of requests of which some were counted. */
export interface Sampled {
  /** As the service estimates it. */
  readonly count: number;
  /** One of how many was counted; 1 if every one was. */
  readonly sampleInterval: number;
}

/** A number with the interval in which the true one lies with a probability of 95 %. */
export interface Estimate {
  readonly count: number;
  readonly low: number;
  readonly high: number;
}

const Z = 1.96;

/** The sum of numbers, with the interval that sampling leaves open: none if everything was counted. */
export function estimate(parts: readonly Sampled[]): Estimate {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const certain = sumOf(parts.filter(({ sampleInterval }) => sampleInterval <= 1));
  const open = parts.filter(({ sampleInterval }) => sampleInterval > 1);
  if (open.length === 0) return { count, low: count, high: count };
  const guessed = sumOf(open);
  const counted = open.reduce((sum, part) => sum + part.count / part.sampleInterval, 0);
  const interval = guessed / counted;
  // Byar's approximation of the limits of a Poisson mean; each counted request stands for `interval` requests.
  const low = counted * Math.max(0, 1 - 1 / (9 * counted) - Z / (3 * Math.sqrt(counted))) ** 3;
  const high = (counted + 1) * (1 - 1 / (9 * (counted + 1)) + Z / (3 * Math.sqrt(counted + 1))) ** 3;
  return {
    count,
    // What was counted certainly happened.
    low: certain + Math.max(counted, Math.floor(low * interval)),
    high: certain + Math.ceil(high * interval),
  };
}

function sumOf(parts: readonly Sampled[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

/** `12`, or `1,200 (950 to 1,490)`. */
export function estimateWords({ count, low, high }: Estimate, format: (value: number) => string): string {
  const shown = format(Math.round(count));
  return low === high ? shown : `about ${shown} (${format(Math.round(low))} to ${format(Math.round(high))})`;
}
