/** The engine's message channels, by resource. These methods never throw. */
export interface Reporter {
  info(urn: string | undefined, text: string): void;
  warn(urn: string | undefined, text: string): void;
  /** An error that no call of the engine can return. @default a warning */
  fail?(urn: string | undefined, text: string): void;
  /** A progress line, which the next one replaces. */
  status(urn: string | undefined, text: string): void;
  /** What a preview plans for a resource, as `planText` writes it. @default nobody reads it */
  plan?(urn: string, text: string): void;
  /** Resolves when everything has arrived. @default it has at once */
  delivered?(): Promise<void>;
}

function fail(reporter: Reporter, urn: string | undefined, text: string): void {
  if (reporter.fail === undefined) reporter.warn(urn, text);
  else reporter.fail(urn, text);
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
    fail: (urn, text) => {
      fail(reporter, urn, hide(text));
    },
    status: (urn, text) => {
      reporter.status(urn, hide(text));
    },
    plan: (urn, text) => {
      reporter.plan?.(urn, hide(text));
    },
    delivered: () => reporter.delivered?.() ?? Promise.resolve(),
  };
}

/**
 * Wraps a reporter so that a run says nothing twice about a resource: `check` and the write that follows it find the same
 * things, and so does a second `check` of a resource that is replaced. Progress lines may repeat.
 */
export function once(reporter: Reporter): Reporter {
  const said = new Set<string>();
  const first = (...message: readonly (string | undefined)[]): boolean => {
    const before = said.size;
    return said.add(JSON.stringify(message)).size > before;
  };
  return {
    info: (urn, text) => {
      if (first("info", urn, text)) reporter.info(urn, text);
    },
    warn: (urn, text) => {
      if (first("warn", urn, text)) reporter.warn(urn, text);
    },
    fail: (urn, text) => {
      if (first("fail", urn, text)) fail(reporter, urn, text);
    },
    status: (urn, text) => {
      reporter.status(urn, text);
    },
    plan: (urn, text) => {
      if (first("plan", urn, text)) reporter.plan?.(urn, text);
    },
    delivered: () => reporter.delivered?.() ?? Promise.resolve(),
  };
}
