import type { HttpRequest } from "../../../core/language/index.js";
import type { Simulation, TraceEntry } from "../../../core/simulator/index.js";

/** A simulation as plain data, for `--json`. */
export interface SimulationData extends Omit<Simulation, "request" | "limits"> {
  readonly request: Pick<HttpRequest, "method" | "url" | "headers">;
}

export function simulationData({ request, limits: _, trace, ...seen }: Simulation): SimulationData {
  return {
    ...seen,
    request: { method: request.method, url: request.url, headers: request.headers },
    // `why` is a getter, so its value is copied.
    trace: trace.map((entry): TraceEntry => ({ ...entry, why: entry.why })),
  };
}
