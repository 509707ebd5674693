// Names of jobs, stages and outputs. They begin with a letter, and no wave has a name that makes two of them equal.

export function waveStep(wave: string): string {
  return `wave-${wave}`;
}

export function gateStep(wave: string): string {
  return `gate-${wave}`;
}
