// Generated from docs/findings.md by `npm run generate`. Edit the page instead.

/** What each finding means, and what to do about it, by its code. */
export const FINDINGS = {
  argument: {
    about: "A function has too few or too many arguments, one of the wrong type, or a literal where a field is needed.",
    remedy: "Compare the call with the signature in the message.",
  },
  "as-number": {
    about: 'The number of an AS is written as text, such as `"AS64500"`, and compared with a number.',
    remedy: "Write the number alone.",
  },
  backslash: {
    about:
      "A pattern of a host or URL has `\\\\`, which matches a backslash, where `\\` was meant: text copied from JSON or Terraform.",
    remedy: "Write `\\.` for a dot.",
  },
  "bytes-or-text": {
    about: "A literal without quotes, such as `61:62`, is compared with a String, and read as bytes.",
    remedy: "Quote it if you mean the text.",
  },
  constant: {
    about: "A condition uses `false`, or `cf.threat_score`, which is now always 0.",
    remedy: "Remove it. For a rule that matches nothing, write `not true`.",
  },
  deprecated: { about: "A field has a newer name.", remedy: "Use the name in the message." },
  "empty-set": { about: "`in {}` matches nothing.", remedy: "Add values to the set, or disable the rule." },
  "function-use": {
    about: "A function is used where it is not available, or too often in one expression.",
    remedy: "Move it to where the message says it is available.",
  },
  "glued-keyword": {
    about: "There is no space between a keyword and the next word: the service reads `notssl` as `not ssl`.",
    remedy: "Add a space.",
  },
  "host-dot": {
    about: "A dot in a pattern of a host has no backslash, so `www.example.com` also matches `www-example.com`.",
    remedy: "Write `\\.`, or compare the host with `eq`, `in` or `wildcard`.",
  },
  "ip-order": {
    about: "IP addresses are compared with `lt`, `le`, `gt` or `ge`, which Cloudflare does not document.",
    remedy: "Use a range: `ip.src in {192.0.2.1..192.0.2.9}`.",
  },
  length: {
    about: "An expression is empty, or longer than 4,096 characters, with each run of white space counted as one.",
    remedy: "Split the rule with `inParts`, or move the members of a set into a list.",
  },
  "missing-value": {
    about:
      "`ne` is false for a header that is missing, so a rule that blocks all but the right one lets requests without any through.",
    remedy: "Write `not … eq …`, unless only requests that have it are meant.",
  },
  "mixed-notation": {
    about: "An expression has `&&`, `||` or `^^`, and also `and`, `or` or `xor`, which mean the same.",
    remedy: "Write words only.",
  },
  nesting: { about: "Parentheses and calls are nested too deeply.", remedy: "Split the condition into several rules." },
  "only-ipv4": {
    about: "A set contains every IPv4 address and no IPv6 one, so clients with IPv6 are not in it.",
    remedy: "Add `::/0`, or leave the condition out. A condition that is about IPv4 can say `not ip.src in {::/0}`.",
  },
  "path-start": {
    about:
      "A path is compared with a text that does not begin with `/`, or a full URI with one that does not begin with its scheme, also by a function.",
    remedy: "Write the text as the field has it.",
  },
  phase: {
    about: "The phase of a ruleset does not exist.",
    remedy: "Write the name that the message suggests, or move the rule to a phase where the field or function is.",
  },
  plan: {
    about:
      "The zone's plan does not include an operator, a field, an action, a managed ruleset, a rate limit, or that many rules.",
    remedy: "Waive it if your contract includes it. Reported for live zones, and with `--plan`.",
  },
  precedence: {
    about: "An expression joins conditions with `and` and with `or`, or with `xor`, without parentheses.",
    remedy: "Write parentheses around what belongs together.",
  },
  "private-address": {
    about:
      "The address of the client is compared with one that no client on the Internet has: a private, shared, local or reserved one, or one for multicast.",
    remedy: "Write the public address that the network has on the Internet.",
  },
  regex: {
    about: "A regular expression is invalid in Rust's syntax, or uses syntax that only some versions support.",
    remedy: "Look-around and back-references are not supported: write two conditions.",
  },
  "regex-count": { about: "A rule has more than 64 regular expressions.", remedy: "Split the rule." },
  slot: {
    about:
      "A filter is used where a value is needed, or the reverse, or the value does not have the type of the parameter.",
    remedy:
      "`to_string()` turns a number, a Boolean or an address into text; in the value of a header, the service does so itself.",
  },
  star: {
    about: "A star is meant as that of a wildcard.",
    remedy: "Write `.*` after `matches`, and `*` after `wildcard`.",
  },
  syntax: {
    about: "An expression cannot be parsed.",
    remedy: "The caret shows where, and the message says what was expected.",
  },
  type: {
    about: "The two sides of a comparison have different types, or the type does not support the operator.",
    remedy: "Remove quotes around numbers and addresses; write `ssl` instead of `ssl eq true`.",
  },
  undocumented: {
    about: "Something works in Cloudflare's engine but is not documented.",
    remedy: "Avoid it in long-lived rules.",
  },
  "unknown-field": {
    about: "A field is not in the catalogue of this version.",
    remedy: "Check the spelling. A field that is newer than this version works: waive the finding.",
  },
  "unknown-function": { about: "A function is not in the catalogue of this version.", remedy: "See `unknown-field`." },
  "unknown-list": {
    about:
      "The account has no list of this name and the program declares none, or it is of a kind that does not fit the field, such as `ip.src in $hosts`.",
    remedy: "Correct the name, or declare a `RulesList`. Rules have to wait for a list of their program.",
  },
  "unknown-value": {
    about:
      'A field is compared with a value that it never has, such as the country `"UK"`, the method `"get"`, the extension `".php"`, or a host with a space.',
    remedy: "Write the value as Cloudflare does. If it is newer than this version, waive the finding.",
  },
  wildcard: {
    about: "A wildcard pattern has `**` or an invalid escape.",
    remedy: "Write `\\\\*` for a literal star, or use a raw string.",
  },
  "account-expression": {
    about:
      "A rule in the entry point of an account is not limited to Enterprise zones, as the phases of the firewall and of rate limits require.",
    remedy: 'Write `(…) and cf.zone.plan eq "ENT"`, or move the rule to a custom ruleset.',
  },
  action: {
    about:
      "An action does not exist or is not available in the phase, lacks a parameter, or has one that it does not take.",
    remedy: "The message lists its parameters, and what the service's pages say of their values.",
  },
  "cache-directives": {
    about: "A `Cache-Control` directive lacks its value, or has one that it does not take.",
    remedy: "Follow the message.",
  },
  "cache-phase": {
    about:
      "A cache setting of requests is in the phase of responses, or one of responses, such as `stripEtags`, is in a phase of requests.",
    remedy: "Move the rule to the other phase.",
  },
  "cache-times": { about: "A TTL setting has no `default`, which its mode requires.", remedy: "Follow the message." },
  "custom-overrides": {
    about: "A rule executes a custom ruleset with overrides.",
    remedy: "Change the rules of the custom ruleset, or execute another one without overrides.",
  },
  ended: {
    about: "A parameter sets a product that Cloudflare has ended, such as Auto Minify or Mirage.",
    remedy: "Leave the parameter out.",
  },
  executed: {
    about: "A rule executes a managed ruleset of another phase, or one that another rule of the zone already executes.",
    remedy: "Write the ID of a ruleset of the phase, or join the two rules.",
  },
  headers: {
    about:
      "A header modification has no value or two, a name or value that Cloudflare refuses, or changes a header that rules cannot change.",
    remedy:
      "Give `set` and `add` either `value` or `expression`; give `remove` neither. Rules can only remove some headers, such as `cookie` of requests and `server` of responses, and change none of the connection, such as `host`, or of Cloudflare (`cf-…`, `x-cf-…`).",
  },
  "hidden-value": {
    about: "A value is `[secret]`, the placeholder that messages print instead of a secret.",
    remedy: "Write the real value, as a secret.",
  },
  ids: { about: "An ID is not 32 hexadecimal digits.", remedy: "Copy it from the dashboard or the API." },
  kind: {
    about:
      "The kind of a ruleset does not exist, is that of Cloudflare's own rulesets, or does not fit the zone or the account.",
    remedy:
      "Use `zone` for the entry point of a zone, `root` for that of an account, and `custom` for a ruleset that other rules execute.",
  },
  logging: {
    about: "`logging` is set on an action that does not take it.",
    remedy: "Remove it; only `skip` takes it.",
  },
  numbers: {
    about: "A number is out of range, or not finite.",
    remedy: "Use a number in the range that the message gives.",
  },
  ratelimit: {
    about: "A rate limit is incomplete, contradicts itself, or is in a phase that does not take one.",
    remedy: "Follow the message.",
  },
  "redirect-key": {
    about:
      "The expression of a bulk redirect does not use the field of its `key`, or tests another list than that of its redirects.",
    remedy: "Test the field of `key` and the list of `name`, such as `http.request.full_uri in $moved`.",
  },
  refs: { about: "Two rules of a ruleset have the same ref or ID.", remedy: "Give each rule its own." },
  sensitivity: {
    about: "A sensitivity level is set outside the DDoS phases, or `enabled` in overrides of them.",
    remedy: "Remove it.",
  },
  shape: {
    about: "A property is missing, misspelled or of the wrong type.",
    remedy: "Follow the message, which suggests the nearest property.",
  },
  unchecked: {
    about:
      "A field with a typed name or an item of a list is in `wire`, or a value is newer than this version: it is sent unchecked.",
    remedy: "Use the typed name. What generate wrote, leave, or waive it.",
  },
  description: {
    about: "A description is longer than the 128 bytes that logs and security events show of it.",
    remedy: "Begin with what identifies the rule.",
  },
  "skip-order": {
    about: "A skip rule comes after everything that it could skip, so it skips nothing.",
    remedy: "Move it above what it should skip.",
  },
  expired: {
    about:
      "The rule has expired: a condition on `http.request.timestamp.sec`, such as `until` adds, matches no more requests.",
    remedy: "Delete it, or give it a later end.",
  },
  expiring: {
    about: "The rule expires within seven days, or the number of `--expiry-warning-days`.",
    remedy: "Give it a later end if it is still needed.",
  },
  "never-matches": { about: "No request matches the rule.", remedy: "Correct the expression, or delete the rule." },
  "always-matches": {
    about: "Every request matches the rule, although its expression is not `true`.",
    remedy: "Write `true` if that is intended.",
  },
  covered: {
    about: "Earlier rules stop or skip every request that the rule matches, so it never runs.",
    remedy: "Move it above them, or delete it.",
  },
  twin: {
    about: "An earlier rule matches exactly the same requests, with the same or an equivalent expression.",
    remedy: "Keep one of them.",
  },
  "redundant-condition": {
    about: "A part of the expression has no effect: the rest matches the same requests without it.",
    remedy: "Remove it, or correct it if it was meant to have one.",
  },
  "contained-member": { about: "A member of a set is contained in another member.", remedy: "Remove it." },
  "redirect-loop": {
    about:
      "A rule redirects to a URL on the same host that it matches again, as a target that `wildcard_replace` leaves unchanged over HTTP.",
    remedy: "Exclude the target from its expression; the message shows a request.",
  },
  "encoded-text": {
    about: "A text is percent-encoded where the value is decoded, or the reverse.",
    remedy: "Write it the way the field contains it; the message shows a request that is not matched.",
  },
  "header-name-case": {
    about:
      "A header name with capitals is compared with the names as the client sent them, which are in lower case since HTTP/2.",
    remedy: "Compare `lower(http.request.headers.names[*])[*]` with the name in lower case.",
  },
  "invalid-expression": {
    about: "The expression of a deployed rule cannot be parsed, so nothing is known about what the rule does.",
    remedy: "Correct the expression; `rules explain` shows where it fails.",
  },
  "dry-run": {
    about: "The service rejects a change that a preview asked it about; see a dry run by the service.",
    remedy: "Change what the message names.",
  },
  "no-protection": {
    about: "No rule of a zone stops a request in a phase where rules of other zones do.",
    remedy: "Deploy rules in this phase, as in the other zones, or remove what the zone does not need to protect.",
  },
  "log-only": {
    about: "Rules run in a phase, but all of them only log.",
    remedy: "Change the action of the rules to block or managed_challenge once their matches have been reviewed.",
  },
  "managed-ruleset-off": {
    about: "The rule that executes a managed ruleset is disabled, or every rule in it is.",
    remedy: "Enable the rule that executes it, or its rules in the overrides.",
  },
  "managed-rules-off": {
    about: "Overrides switch off rules that are on by default.",
    remedy: "Remove the overrides that switch rules off, or replace them with a skip rule for the requests concerned.",
  },
  "managed-rules-logged": {
    about: "Overrides make rules only log.",
    remedy: "Remove the overrides that only log once their matches have been reviewed.",
  },
  "sensitivity-lowered": {
    about: "Overrides lower the sensitivity of DDoS rules.",
    remedy: "Remove the overrides of the sensitivity, or limit them to the rules that need them.",
  },
  "dead-override": {
    about:
      "An override or a skip list names a rule or a tag that its managed ruleset does not have, for example because the rule was merged.",
    remedy: "Delete it, or name what took its place; `managed diff` shows that.",
  },
  "managed-for-some": {
    about: "A managed ruleset does not run for every request.",
    remedy: "Execute it for every request, with a skip rule for exceptions.",
  },
  "skip-for-everybody": {
    about: "A skip rule is proved to match every request of a zone.",
    remedy: "Limit the expression to the requests that must pass, or remove the rule.",
  },
  "skip-without-description": {
    about: "A skip rule has no description.",
    remedy: "Describe for whom the rule is and who asked for it, or remove it.",
  },
  skip: { about: "A skip rule matches some requests.", remedy: "Check that these requests still need to pass." },
  "disabled-rule": { about: "A rule is disabled.", remedy: "Enable the rule, or delete it." },
  "not-executed": {
    about: "No rule executes a custom ruleset.",
    remedy: "Execute the ruleset in the entry point of its phase, or delete it.",
  },
  quota: {
    about: "90 % or more of the rules that the plan includes are used.",
    remedy: "Join rules, use lists, or order more rules before the quota is used up.",
  },
  "unused-list": {
    about: "Neither the service nor any rule that was read says that a rule uses the list.",
    remedy: "Delete the list, or use it in a rule.",
  },
  "list-of-everything": {
    about: "The items of a list together cover every IPv4 address, or every public IPv6 address.",
    remedy: "Remove items until the list names only those that it is for.",
  },
  "wide-item": {
    about: "An item covers more addresses than any one network has: IPv4 beyond /8, IPv6 beyond /12.",
    remedy: "Replace the item with the networks that it is for.",
  },
  "expired-item": {
    about:
      "A comment says that its item has expired: `until 2026-01-31`, `expires: 31.1.2026`, `remove after 2026/01/31`.",
    remedy: "Remove the item, or give it a new date.",
  },
  "applies-to-no-zone": {
    about: "An invariant applies to none of the zones.",
    remedy: "Correct its zones, or remove it.",
  },
  "matches-no-request": {
    about: "No request can match an invariant, so it says nothing.",
    remedy: "Correct the filter.",
  },
  "not-in-plan": {
    about: "The filter of an invariant reads what the plan of a zone does not include, so no rule can.",
    remedy: "Choose zones that have it, with `zones: { plan: … }`.",
  },
  "exception-expired": { about: "The last day of an exception is over.", remedy: "Remove it, or give it a new day." },
  "exception-not-needed": {
    about: "An invariant is proved although there is an exception for the zone.",
    remedy: "Remove the exception.",
  },
  "exception-unused": {
    about: "An exception matches no zone that the invariant applies to.",
    remedy: "Correct the name, or remove the exception.",
  },
} as const;
