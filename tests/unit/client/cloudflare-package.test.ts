import { ruleFromPackage } from "../../../client/cloudflare-package.js";
import { isList, isObject, type Json, type JsonObject } from "../../../core/model/json.js";
import { pathText } from "../../../core/model/path.js";
import { rawFieldsOf } from "../../../core/model/raw-fields.js";
import { parametersOf } from "../../../core/model/actions.js";
import { ruleToWire } from "../../../core/model/codec.js";
import { getShape, snakeCase } from "../../../core/model/shapes.js";
import { contentOf } from "../../../core/rules/content.js";
import { everyAction } from "../../support/every-action.js";
import { checkShape } from "../../../provider/validation/shape.js";
import { UNTIL_VERSION_5, VERSION_6 } from "../../support/package-arguments.js";

type Blocks = Readonly<Record<string, string>>;

/** A block with a value for each of its arguments. */
function sample(blocks: Blocks, block: string): JsonObject {
  const members = (blocks[block] ?? "").split(", ").map((argument): [string, Json] => {
    const [name = "", type = ""] = argument.split(" ");
    const [, of = "", list, map] = /^(\w+)(\[\])?(\{\})?$/.exec(type) ?? [];
    const scalar: Json =
      of === "string" ? "enabled" : of === "number" ? 1 : of === "boolean" ? true : sample(blocks, of);
    const value = list === undefined ? scalar : [scalar];
    return [name, map === undefined ? value : { "X-Name": value }];
  });
  return Object.fromEntries(members);
}

/** The names of a rule's fields, as another tool spells them; keys of maps stay. */
function renamed(value: Json, rename: (name: string) => string): Json {
  if (isList(value)) return value.map((item) => renamed(item, rename));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, item]): [string, Json] => [
    name === "X-Name" ? name : rename(name),
    renamed(item ?? null, rename),
  ]);
  return Object.fromEntries(members);
}

/** In version 4 of the provider, every block is in a list. */
function inLists(value: Json): Json {
  if (isList(value)) return value.map((item) => (isObject(item) ? blocksInLists(item) : item));
  return isObject(value) ? [blocksInLists(value)] : value;
}
const blocksInLists = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, isMap(item) ? item : inLists(item ?? null)]));
const isMap = (value: Json | undefined): boolean => isObject(value) && Object.hasOwn(value, "X-Name");

const SINGULARS: Readonly<Record<string, string>> = {
  autominifies: "autominify",
  responses: "response",
  excludes: "exclude",
  includes: "include",
  checkPresences: "check_presence",
  statusCodeRanges: "status_code_range",
  statusCodeTtls: "status_code_ttl",
};
const asTerraform = (name: string): string => SINGULARS[name] ?? snakeCase(name);

/** Fields that have no typed name, and those that no rule can have. */
function unread(rule: JsonObject): string[] {
  const read = ruleFromPackage(rule);
  const { id: _id, ref: _ref, version: _version, lastUpdated: _time, ...content } = read;
  const faults = checkShape(content, []).flatMap(({ path, message }) =>
    /must be (?:a list|an object)/.test(message) ? [`${pathText(path)}: ${message}`] : [],
  );
  return [...rawFieldsOf(content).map(pathText), ...faults].sort();
}

/** What the service no longer has, or never had. */
const GONE = ["actionParameters.disable_railgun", "actionParameters.version", "ratelimit.mitigation_expression"];

// The action is none that this package knows, so it takes every parameter.
const everyArgument = (blocks: Blocks): JsonObject => ({ ...sample(blocks, "Rule"), action: "every" });

test("every argument that a rule has in versions 4 and 5 of the package is read", () => {
  expect(unread(everyArgument(UNTIL_VERSION_5))).toEqual(GONE);
});

test("every argument that a rule has in version 6 of the package is read", () => {
  expect(unread(everyArgument(VERSION_6))).toEqual([]);
});

test("every attribute that a rule has in version 5 of the Terraform provider is read", () => {
  expect(unread(renamed(everyArgument(VERSION_6), asTerraform) as JsonObject)).toEqual([]);
});

test("every block that a rule has in version 4 of the Terraform provider is read", () => {
  const blocks = blocksInLists(everyArgument(UNTIL_VERSION_5));
  expect(unread(renamed(blocks, asTerraform) as JsonObject)).toEqual(GONE);
});

const read = (action: string, actionParameters: JsonObject) => {
  const rule = ruleFromPackage({ action, expression: "ssl", actionParameters });
  return rule.actionParameters ?? {};
};

test.each<[string, string, JsonObject, object]>([
  [
    "a response and no algorithms",
    "block",
    { responses: [{ statusCode: 418, content: "no", contentType: "text/plain" }], algorithms: [] },
    { response: { statusCode: 418, content: "no", contentType: "text/plain" } },
  ],
  [
    "a part of a URL that rewrites once had, and nobody set",
    "rewrite",
    { uri: { origin: false, path: { value: "/a", expression: "" }, query: null } },
    { uri: { path: { value: "/a" } } },
  ],
  [
    "all parameters of a query, and a range of status codes",
    "set_cache_settings",
    {
      cacheKey: { customKey: { queryString: { excludes: ["*"] } } },
      edgeTtl: {
        mode: "respect_origin",
        default: 0,
        statusCodeTtls: [{ statusCodeRanges: [{ from: 500, to: 0 }], value: 0 }],
      },
    },
    {
      cacheKey: { customKey: { queryString: { exclude: { all: true } } } },
      edgeTtl: { mode: "respect_origin", statusCodeTtls: [{ statusCodeRange: { from: 500 }, value: 0 }] },
    },
  ],
  [
    "zeros, empty texts and switches that the action does not take",
    "skip",
    {
      ...{
        increment: 0,
        id: "",
        version: "",
        products: [],
        overrides: null,
        cache: false,
        matchedData: { publicKey: "" },
      },
      rules: {
        "4814384a9e5d4991b9815dcfc25d2f1f": "5de7edfa648c4d6891dc3e7f84534ffa,e3a567afc347477d9702d9047e97d760",
      },
    },
    {
      rules: {
        "4814384a9e5d4991b9815dcfc25d2f1f": ["5de7edfa648c4d6891dc3e7f84534ffa", "e3a567afc347477d9702d9047e97d760"],
      },
    },
  ],
  [
    "blocks of which nobody set anything",
    "route",
    { origin: { host: "", port: 0 }, sni: [{ value: "" }], hostHeader: "a.test", brandNew: false },
    { hostHeader: "a.test" },
  ],
  [
    "two blocks where the service takes one, which are not reduced to the first",
    ...(["block", { responses: [{ statusCode: 1 }, {}] }, { response: [{ statusCode: 1 }, {}] }] as const),
  ],
  ["a zero that the action takes", "score", { increment: 0 }, { increment: 0 }],
  ["a switch that is off", "set_config", { bic: false, fonts: true }, { bic: false, fonts: true }],
  ["unset switches before version 4.2", "set_config", { bic: false, sxg: true, disableApps: false }, { sxg: true }],
  [
    "a status beside a switch",
    "execute",
    {
      id: "4814384a9e5d4991b9815dcfc25d2f1f",
      overrides: {
        enabled: false,
        status: "",
        categories: [{ category: "xss", enabled: false, status: "enabled" }],
        rules: [{ id: "5de7edfa648c4d6891dc3e7f84534ffa", enabled: true, status: "disabled", scoreThreshold: 0 }],
      },
    },
    {
      id: "4814384a9e5d4991b9815dcfc25d2f1f",
      overrides: {
        categories: [{ category: "xss", enabled: true }],
        rules: [{ id: "5de7edfa648c4d6891dc3e7f84534ffa", enabled: false }],
      },
    },
  ],
])("reads %s", (_what, action, given, expected) => {
  expect(read(action, given)).toEqual(expected);
});

const zeros: Readonly<Record<string, Json>> = { string: "", number: 0, boolean: false };

/** Every parameter that version 4 of the provider knows, as it is in a state if nobody sets it. */
const unset = Object.fromEntries(
  UNTIL_VERSION_5.ActionParameters.split(", ").map((argument): [string, Json] => {
    const [name = "", type = ""] = argument.split(" ");
    return [asTerraform(name), zeros[type] ?? (type.endsWith("{}") ? null : [])];
  }),
);

const samples = everyAction.flatMap(({ rules }) => rules.map((rule) => [rule.action, ruleToWire(rule)] as const));

test.each(samples)("reads %s among parameters that nobody sets", (action, wire) => {
  const given = JSON.parse(JSON.stringify(wire)) as JsonObject;
  const own = isObject(given.action_parameters) ? given.action_parameters : {};
  const taken = new Set(parametersOf(action));
  const { byWire } = getShape("RulesetRuleActionParameters");
  // A switch that the action takes may have been switched off.
  const others = Object.entries(unset).filter(
    ([name, value]) => value !== false || !taken.has(byWire[name]?.name ?? ""),
  );
  const filled = { ...given, action_parameters: [{ ...Object.fromEntries(others), ...own }] };
  expect(contentOf(ruleFromPackage(filled))).toEqual(contentOf(ruleFromPackage(given)));
});
