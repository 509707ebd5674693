/** The writes among requests in the form `GET /zones/…`. */
export const writesIn = (requests: readonly string[]): string[] =>
  requests.filter((request) => !request.startsWith("GET "));

/** The methods of requests in the form `GET /zones/…`. */
export const methodsOf = (requests: readonly string[]): string[] =>
  requests.map((request) => request.split(" ", 1)[0] ?? "");
