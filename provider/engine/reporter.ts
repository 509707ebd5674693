/** The engine's own channels, by resource. Nothing here ever throws. */
export interface Reporter {
  info(urn: string | undefined, text: string): void;
  warn(urn: string | undefined, text: string): void;
  /** A line that the next one replaces, for progress. */
  status(urn: string | undefined, text: string): void;
}
