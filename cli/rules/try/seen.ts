import type { HttpRequest } from "../../../language/index.js";
import type { Simulation, TraceEntry } from "../../../simulator/index.js";

/** A simulation as plain data, as `--json` gives it. */
export interface Seen extends Omit<Simulation, "request" | "limits"> {
  readonly request: Pick<HttpRequest, "method" | "url" | "headers">;
}

export function seenOf({ request, limits: _, trace, ...seen }: Simulation): Seen {
  return {
    ...seen,
    request: { method: request.method, url: request.url, headers: request.headers },
    // Each text is made when it is read.
    trace: trace.map((entry): TraceEntry => ({ ...entry, why: entry.why })),
  };
}
