/** A fault to inject, selected by method and path. */
export interface Fault {
  readonly method?: string;
  /** A pattern: part of the path, `*` as a wildcard, or a regular expression. With or without `/client/v4`. */
  readonly path?: string;
  /** How often. @default 1 */
  readonly times?: number;
  /** Responds with this status instead of executing the request. */
  readonly status?: number;
  /** Body of that response; a string is sent unchanged. Without a status, it replaces the body of the real response. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Messages added to the response's `messages`; only without a status, cut or body. */
  readonly messages?: readonly (string | { readonly message: string })[];
  readonly delayMs?: number;
  /** Whether the request waits until all faults are removed. @default false */
  readonly hold?: boolean;
  /** Cuts the connection before or after the request is executed. */
  readonly cut?: "before" | "after";
  /** Requests of another client to execute, in this order, just before this one. */
  readonly meanwhile?: readonly OtherRequest[];
}

/** A request of another client. It is not logged, and no fault applies to it. */
export interface OtherRequest {
  readonly method: string;
  /** With or without `/client/v4`. */
  readonly path: string;
  readonly body?: unknown;
}

interface Armed {
  readonly fault: Fault;
  left: number;
}

/**
 * Whether a path, with or without `/client/v4`, matches a pattern: as a substring, with `*` as a wildcard, or as a regular
 * expression.
 */
function matchesPath(pattern: string, path: string): boolean {
  const bare = path.replace(/^\/client\/v4/, "");
  const anything = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const tests = [new RegExp(`^${anything.join(".*")}$`), ...asExpression(pattern)];
  return (!pattern.includes("*") && path.includes(pattern)) || tests.some((test) => test.test(path) || test.test(bare));
}

function asExpression(pattern: string): RegExp[] {
  try {
    return [new RegExp(pattern)];
  } catch {
    return [];
  }
}

/** The active faults, in the order in which they were added. */
export class Faults {
  private armed: Armed[] = [];
  private held: (() => void)[] = [];

  add(fault: Fault): void {
    this.armed.push({ fault, left: fault.times ?? 1 });
  }

  /** Removes every fault, and continues the requests that are held. */
  clear(): void {
    this.armed = [];
    for (const release of this.held.splice(0)) release();
  }

  /** Until every fault is removed. */
  untilCleared(): Promise<void> {
    return new Promise((resolve) => {
      this.held.push(resolve);
    });
  }

  list(): readonly Fault[] {
    return this.armed.map(({ fault, left }) => ({ ...fault, times: left }));
  }

  /** Returns the fault for a request, and counts one use. */
  take(method: string, path: string): Fault | undefined {
    const found = this.armed.find(
      ({ fault }) =>
        (fault.method === undefined || fault.method.toUpperCase() === method) &&
        (fault.path === undefined || matchesPath(fault.path, path)),
    );
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.armed = this.armed.filter((armed) => armed !== found);
    return found.fault;
  }
}
