import type { FastifyInstance, FastifyRequest } from "fastify";

/** A request that the emulator has answered. `status` is 0 if the connection was cut. */
export interface LoggedRequest {
  readonly method: string;
  /** With `/client/v4`, without the query. */
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

/** Marks a request that the emulator sends to itself on behalf of another client. */
export const OTHERS_HEADER = "x-emulator-others";

export function isOthers(request: FastifyRequest): boolean {
  return request.headers[OTHERS_HEADER] !== undefined;
}

/** The latest requests to the API, in the order of their responses. */
export class RequestLog {
  private entries: LoggedRequest[] = [];

  constructor(
    private readonly prefix: string,
    private readonly kept: number,
  ) {}

  attach(app: FastifyInstance): void {
    app.addHook("onResponse", (request, reply, done) => {
      this.record(request, reply.statusCode);
      done();
    });
  }

  record(request: FastifyRequest, status: number): void {
    if (!request.url.startsWith(`${this.prefix}/`) || isOthers(request)) return;
    const [path = "", query = ""] = request.url.split("?");
    this.entries.push({ method: request.method, path, query, status });
    // Trimmed occasionally, so that not every request has to move the whole log.
    if (this.entries.length >= 2 * this.kept) this.entries = this.list();
  }

  list(): LoggedRequest[] {
    return this.kept === 0 ? [] : this.entries.slice(-this.kept);
  }
  clear(): void {
    this.entries = [];
  }
}
