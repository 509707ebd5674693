/** A change of a header by a rule: the phase, the name, and the change. */
export type HeaderChange = readonly [
  phase: string,
  name: string,
  change: { readonly operation: "add" | "set" | "remove"; readonly value?: string; readonly expression?: string },
];

const REQUEST = "http_request_late_transform";
const RESPONSE = "http_response_headers_transform";
const remove = { operation: "remove" } as const;
const computed = (expression: string) => ({ operation: "set", expression }) as const;
const set = (value = "1") => ({ operation: "set", value }) as const;

/** Documented limits: https://developers.cloudflare.com/rules/transform/request-header-modification/ and …/response-…/. */
export const refusedChanges: readonly HeaderChange[] = [
  ...["a b", "a:b", "", "é", "a\r\nb"].flatMap((name): HeaderChange[] => [
    [REQUEST, name, set()],
    [RESPONSE, name, remove],
  ]),
  ...["a\r\nb: c", "a\nb", "é", "\t", "x".repeat(4097)].flatMap((value): HeaderChange[] => [
    [REQUEST, "X-A", set(value)],
    [RESPONSE, "X-A", { operation: "add", value }],
  ]),
  [REQUEST, "CF-Ray", remove],
  [REQUEST, "x-cf-a", set()],
  [REQUEST, "CF-Connecting-IP", set()],
  [REQUEST, "Cookie", set()],
  [REQUEST, "X-Forwarded-For", set()],
  [REQUEST, "X-Forwarded-Proto", { operation: "add", value: "https" }],
  [REQUEST, "X-Real-IP", set()],
  [REQUEST, "True-Client-IP", set()],
  [REQUEST, "Accept-Encoding", remove],
  [REQUEST, "Host", set()],
  [REQUEST, "Content-Length", set()],
  [REQUEST, "Transfer-Encoding", set("chunked")],
  [RESPONSE, "CF-Cache-Status", remove],
  [RESPONSE, "X-CF-A", { operation: "add", value: "1" }],
  [RESPONSE, "Server", set()],
  [RESPONSE, "EH-Cache-Tag", set()],
  [REQUEST, "X-A", computed('http.request.headers["x-a"]')],
  [REQUEST, "X-A", computed("http.request.headers.names")],
];

/** Changes like those that are refused, and changes in examples of the documentation. */
export const acceptedChanges: readonly HeaderChange[] = [
  [REQUEST, "a_B-9", set("x".repeat(4096))],
  [REQUEST, "X-A", set(" _ :;.,\\/\"'?!(){}[]@<>=-+*#$&`|~^%")],
  [REQUEST, "CF-Connecting-IP", remove],
  [REQUEST, "Cookie", remove],
  [REQUEST, "X-Forwarded-For", remove],
  [REQUEST, "Server", set()],
  [RESPONSE, "CF-Connecting-IP", remove],
  [RESPONSE, "Set-Cookie", { operation: "add", value: "mycookie=1" }],
  [RESPONSE, "Cookie", set()],
  [RESPONSE, "Server", remove],
  ...["ip.src", "ip.src.asnum", "ssl", "to_string(ip.src)", 'concat("a", http.host)'].map(
    (expression): HeaderChange => [REQUEST, "X-A", computed(expression)],
  ),
];
