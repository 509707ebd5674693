/** The engine's message channels, by resource. These methods never throw. */
export interface Reporter {
  info(urn: string | undefined, text: string): void;
  warn(urn: string | undefined, text: string): void;
  /** A progress line, which the next one replaces. */
  status(urn: string | undefined, text: string): void;
}

/** Wraps a reporter so that sensitive text is hidden. */
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
