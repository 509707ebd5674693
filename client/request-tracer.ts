import { isObject, objectsIn } from "../core/model/json.js";
import type { Transport } from "./http/index.js";
import { encodeSegment, responseText } from "./pages.js";

/** A request to trace, as the operation takes it. */
export interface TraceRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly body?: { readonly plain_text: string } | { readonly base64: string };
  /** `HTTP/1.1`, `HTTP/2` … */
  readonly protocol?: string;
  /** Do not send the request to the origin. */
  readonly skip_response?: boolean;
  readonly context?: {
    readonly bot_score?: number;
    readonly threat_score?: number;
    readonly skip_challenge?: boolean;
    readonly geoloc?: { readonly iso_code?: string; readonly continent?: string; readonly is_eu_country?: boolean };
  };
}

/** A step of a trace: a phase, a ruleset, a rule, or another feature that acts on requests. */
export interface TraceStep {
  readonly type: string;
  readonly stepName: string;
  readonly matched: boolean;
  readonly action?: string;
  readonly expression?: string;
  readonly description?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly steps: readonly TraceStep[];
}

export interface RequestTrace {
  readonly statusCode?: number;
  readonly steps: readonly TraceStep[];
}

/**
 * The request tracer: what the deployed configuration does to a request.
 * https://developers.cloudflare.com/api/resources/request_tracers/
 */
export class RequestTracerClient {
  constructor(private readonly transport: Transport) {}

  /** Traces a request to a zone of an account. No traffic is sent and nothing is changed. */
  async trace(accountId: string, request: TraceRequest): Promise<RequestTrace> {
    const path = `/accounts/${encodeSegment(accountId)}/request-tracer/trace`;
    const { result } = await this.transport.send({ method: "POST", path, body: request, onlyReads: true });
    const response = isObject(result) ? result : {};
    return {
      statusCode: typeof response.status_code === "number" ? response.status_code : undefined,
      steps: stepsFromWire(response.trace),
    };
  }
}

function stepsFromWire(value: unknown): readonly TraceStep[] {
  return objectsIn(value).map((wire) => ({
    type: responseText(wire.type),
    stepName: responseText(wire.step_name),
    matched: wire.matched === true,
    action: optional(wire.action),
    expression: optional(wire.expression),
    description: optional(wire.description),
    name: optional(wire.name),
    kind: optional(wire.kind),
    steps: stepsFromWire(wire.trace),
  }));
}

function optional(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
