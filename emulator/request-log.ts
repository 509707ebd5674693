import type { FastifyInstance, FastifyRequest } from "fastify";

/** A request the emulator has answered. `status` is 0 when the connection was cut. */
export interface LoggedRequest {
  readonly method: string;
  /** With `/client/v4`, without the query. */
  readonly path: string;
  readonly query: string;
  readonly status: number;
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
    if (!request.url.startsWith(`${this.prefix}/`)) return;
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
