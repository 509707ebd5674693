import type { FastifyInstance, FastifyRequest } from "fastify";

/** A request the emulator has answered. `status` is 0 when the connection was cut. */
export interface LoggedRequest {
  readonly method: string;
  /** With `/client/v4`, without the query. */
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

/** Marks a request that the emulator sends to itself in place of somebody else. */
export const OTHERS_HEADER = "x-emulator-others";

export function isOthers(request: FastifyRequest): boolean {
  return request.headers[OTHERS_HEADER] !== undefined;
}

/** Every request to the API, in the order of their answers. */
export class RequestLog {
  private entries: LoggedRequest[] = [];

  constructor(private readonly prefix: string) {}

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
  }

  list(): readonly LoggedRequest[] {
    return this.entries;
  }
  clear(): void {
    this.entries = [];
  }
}
