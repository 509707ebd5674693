/** Something that shall go wrong, chosen by method and path. */
export interface Fault {
  readonly method?: string;
  /** A pattern: part of the path, `*` for anything, or a regular expression. With or without `/client/v4`. */
  readonly path?: string;
  /** How often. @default 1 */
  readonly times?: number;
  /** Answers with this status instead of carrying the request out. */
  readonly status?: number;
  /** Body of that answer; a text goes out as it is. With no status, replaces the body of the real answer. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the answer says in `messages`, beside what it says there anyway; with no status, cut or body. */
  readonly messages?: readonly (string | { readonly message: string })[];
  readonly delayMs?: number;
  /** Cuts the connection before the request is carried out, or after. */
  readonly cut?: "before" | "after";
  /** What somebody else sends just before this request is carried out, in this order. */
  readonly meanwhile?: readonly OtherRequest[];
}

/** A request of somebody else. It is not in the list of requests, and no fault meets it. */
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

/** Whether a path, with or without `/client/v4`, fits a pattern: as a part of it, with `*` for anything, or as a regular expression. */
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

/** The faults that are armed, in the order in which they were asked for. */
export class Faults {
  private armed: Armed[] = [];

  add(fault: Fault): void {
    this.armed.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.armed = [];
  }

  list(): readonly Fault[] {
    return this.armed.map(({ fault, left }) => ({ ...fault, times: left }));
  }

  /** The fault for a request, used up once. */
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
