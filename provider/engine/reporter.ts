/** The engine's own channels, by resource. Nothing here ever throws. */
export interface Reporter {
  info(urn: string | undefined, text: string): void;
  warn(urn: string | undefined, text: string): void;
  /** A line that the next one replaces, for progress. */
  status(urn: string | undefined, text: string): void;
}

/** The same channels, for texts that may hold what must not be shown. */
export function hiding(reporter: Reporter, hide: (text: string) => string): Reporter {
  return {
    info: (urn, text) => {
      reporter.info(urn, hide(text));
    },
    warn: (urn, text) => {
      reporter.warn(urn, hide(text));
    },
    status: (urn, text) => {
      reporter.status(urn, hide(text));
    },
  };
}
