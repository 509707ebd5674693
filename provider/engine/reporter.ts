/** The engine's message channels, by resource. These methods never throw. */
export interface Reporter {
  info(urn: string | undefined, text: string): void;
  warn(urn: string | undefined, text: string): void;
  /** A progress line, which the next one replaces. */
  status(urn: string | undefined, text: string): void;
  /** What a preview plans for a resource, as `planText` writes it. @default nobody reads it */
  plan?(urn: string, text: string): void;
  /** Resolves when everything has arrived. @default it has at once */
  delivered?(): Promise<void>;
}

interface Message {
  readonly channel: "info" | "warn" | "status" | "plan";
  readonly urn: string | undefined;
  readonly text: string;
}

/** Wraps a reporter: `pass` decides what of each message is told, and when. */
function passing(reporter: Reporter, pass: (message: Message, tell: (text: string) => void) => void): Reporter {
  const on = (channel: "info" | "warn" | "status") => (urn: string | undefined, text: string) => {
    pass({ channel, urn, text }, (said) => {
      reporter[channel](urn, said);
    });
  };
  return {
    info: on("info"),
    warn: on("warn"),
    status: on("status"),
    plan: (urn, text) => {
      pass({ channel: "plan", urn, text }, (said) => reporter.plan?.(urn, said));
    },
    delivered: () => reporter.delivered?.() ?? Promise.resolve(),
  };
}

/** Wraps a reporter so that sensitive text is hidden. */
export function hiding(reporter: Reporter, hide: (text: string) => string): Reporter {
  return passing(reporter, ({ text }, tell) => {
    tell(hide(text));
  });
}

/**
 * Wraps a reporter so that a run says nothing twice about a resource: `check` and the write that follows it find the same
 * things, and so does a second `check` of a resource that is replaced. Progress lines may repeat.
 */
export function once(reporter: Reporter): Reporter {
  const said = new Set<string>();
  return passing(reporter, ({ channel, urn, text }, tell) => {
    const before = said.size;
    if (channel === "status" || said.add(JSON.stringify([channel, urn, text])).size > before) tell(text);
  });
}

/** A text with the names of the zones that it is about. A promise where names have to be read first. */
export type NameZones = (text: string, isWorthRequest: boolean) => string | Promise<string>;

/** Wraps a reporter so that people read which zones a message is about. Messages keep their order while names are read. */
export function naming(reporter: Reporter, named: NameZones): Reporter {
  let last: Promise<void> | undefined;
  const inOrder = passing(reporter, ({ channel, text }, tell) => {
    const found = channel === "plan" ? text : named(text, channel === "warn");
    if (last === undefined && typeof found === "string") tell(found);
    else {
      const turn = Promise.all([found, last]).then(([named]) => {
        tell(named);
        if (last === turn) last = undefined;
      });
      last = turn;
    }
  });
  return {
    ...inOrder,
    delivered: async () => {
      await last;
      await reporter.delivered?.();
    },
  };
}
