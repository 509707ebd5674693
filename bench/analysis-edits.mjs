// Realistic edits of realistic rules, the same ones in every run.

const FIREWALL = "http_request_firewall_custom";

/** Numbers from 0 to below 1, the same ones in every run. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const VALUES = {
  host: ["shop.example.com", "api.example.com", "www.example.com", "admin.example.com"],
  path: ["/admin", "/login", "/api/v1/", "/wp-login.php", "/checkout", "/health"],
  country: ["DE", "FR", "US", "CN", "BR"],
  network: ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/25", "2001:db8::/32"],
  agent: ["curl", "sqlmap", "python-requests", "bot"],
  query: ["id=", "cmd=", "debug=1"],
};

const PARTS = [
  (pick) => `http.host eq "${pick("host")}"`,
  (pick) => `http.host in {"${pick("host")}" "${pick("host")}"}`,
  (pick) => `starts_with(http.request.uri.path, "${pick("path")}")`,
  (pick) => `http.request.uri.path eq "${pick("path")}"`,
  (pick) => `lower(http.request.uri.path) contains "${pick("path")}"`,
  (pick) => `http.request.uri.path matches "^${pick("path")}[0-9]*$"`,
  (pick) => `http.request.uri contains "${pick("query")}"`,
  (pick) => `http.request.uri.query contains "${pick("query")}"`,
  (pick) => `http.request.full_uri wildcard "https://${pick("host")}${pick("path")}*"`,
  () => `http.request.uri.path.extension in {"php" "asp"}`,
  (pick) => `ip.src in {${pick("network")}}`,
  (pick) => `ip.src.country in {"${pick("country")}" "${pick("country")}"}`,
  (pick) => `ip.src.continent eq "EU" and ip.src.country ne "${pick("country")}"`,
  (pick) => `lower(http.user_agent) contains "${pick("agent")}"`,
  (pick) => `any(http.request.headers["x-api-key"][*] eq "${pick("agent")}")`,
  () => "cf.bot_management.score lt 30",
  () => "cf.client.bot",
  () => "ip.src in $office",
  () => "len(http.request.uri.query) gt 500",
  () => `http.request.method in {"POST" "PUT"}`,
  () => "ssl",
  () => 'url_decode(http.request.uri.path) contains ".."',
];

/** @returns {{ name: string, before: object[], after: object[] }[]} */
export function realisticEdits(count) {
  const random = numbers(7);
  const oneOf = (list) => list[Math.floor(random() * list.length)];
  const pick = (name) => oneOf(VALUES[name]);
  const part = () => (random() < 0.3 ? `not (${oneOf(PARTS)(pick)})` : `(${oneOf(PARTS)(pick)})`);
  const expression = () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, part).join(random() < 0.75 ? " and " : " or ");
  const action = () => oneOf(["block", "block", "block", "managed_challenge", "log", "skip"]);
  const acting = (own) =>
    own === "skip" ? { action: own, actionParameters: { ruleset: "current" } } : { action: own };
  const rule = (ref) => ({ ref, ...acting(action()), expression: expression() });
  const limit = (ref) => ({
    ref,
    action: "block",
    expression: expression(),
    ratelimit: { characteristics: ["ip.src", "cf.colo.id"], period: 60, requestsPerPeriod: 20, mitigationTimeout: 600 },
  });
  const rewrite = (ref) => ({
    ref,
    action: "rewrite",
    expression: `http.host eq "${pick("host")}" and starts_with(http.request.uri.path, "${pick("path")}")`,
    actionParameters: {
      uri: {
        path: oneOf([{ value: pick("path") }, { expression: `concat("${pick("path")}", http.request.uri.path)` }]),
      },
    },
  });
  const changed = (all, at, how) => {
    const copy = [...all];
    const old = copy[at];
    switch (how) {
      case "add a condition":
        copy[at] = { ...old, expression: `(${old.expression}) and ${part()}` };
        break;
      case "add an alternative":
        copy[at] = { ...old, expression: `(${old.expression}) or ${part()}` };
        break;
      case "another expression":
        copy[at] = { ...old, expression: expression() };
        break;
      case "another action":
        copy[at] = { ref: old.ref, ...acting(action()), expression: old.expression };
        break;
      case "switch it off":
        copy[at] = { ...old, enabled: false };
        break;
      case "remove":
        copy.splice(at, 1);
        break;
      case "add":
        copy.splice(at, 0, rule("fresh"));
        break;
      case "move":
        copy.splice(Math.floor(random() * copy.length), 0, ...copy.splice(at, 1));
        break;
      case "write it differently":
        copy[at] = { ...old, expression: `not (not (${old.expression}))` };
        break;
      case "another limit":
        copy[at] = { ...old, ratelimit: { ...old.ratelimit, requestsPerPeriod: oneOf([10, 40]) } };
        break;
      case "another rewrite":
        copy[at] = { ...rewrite(old.ref), expression: old.expression };
        break;
    }
    return copy;
  };
  const HOW = ["add a condition", "add an alternative", "another expression", "switch it off", "remove", "move"];
  return Array.from({ length: count }, (_, n) => {
    const firewall = Array.from({ length: 6 }, (_, index) => rule(`rule-${index}`));
    const limits = [limit("limit-0")];
    const rewrites = [rewrite("rewrite-0"), rewrite("rewrite-1")];
    const kind = n % 10 === 8 ? "limits" : n % 10 === 9 ? "rewrites" : "firewall";
    const lists = { firewall, limits, rewrites };
    const own = {
      firewall: [...HOW, "another action", "add", "write it differently"],
      limits: [...HOW, "another limit"],
      rewrites: [...HOW.filter((how) => how !== "move"), "another rewrite"],
    }[kind];
    const how = oneOf(own);
    const edited = changed(lists[kind], Math.floor(random() * lists[kind].length), how);
    // Few zones rewrite URLs.
    const isRewritten = kind === "rewrites" || n % 5 === 0;
    const rulesets = (all) => [
      { kind: "zone", phase: "http_request_transform", rules: isRewritten ? all.rewrites : [] },
      { kind: "zone", phase: FIREWALL, rules: all.firewall },
      { kind: "zone", phase: "http_ratelimit", rules: all.limits },
    ];
    return {
      name: kind === "firewall" && isRewritten ? "firewall, after rewrites" : kind,
      before: rulesets(lists),
      after: rulesets({ ...lists, [kind]: edited }),
    };
  });
}
