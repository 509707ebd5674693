import { PLANS, type RequestInput } from "../../../language/index.js";
import { isObject } from "../../../provider/model/json.js";
import { FileError, type FilePlace } from "../../../provider/model/file-error.js";
import type { Steps, TextDocument } from "../../../provider/files/text-document.js";
import type { OriginResponse, ZoneInput } from "../../../simulator/index.js";
import { readRedirectLists, type RedirectLists } from "../read-lists.js";
import { readPart, readRequest } from "../read-request.js";
import { readExpect, type Expectation } from "./expectation.js";

/** The tests of a document, and what is known about the zone that they run in. */
export interface Tests {
  readonly zone: ZoneInput;
  readonly redirectLists?: RedirectLists;
  /** The required coverage of the rules, 0 to 1. */
  readonly coverage?: number;
  readonly tests: readonly TestCase[];
}

export interface TestCase {
  readonly name: string;
  readonly place: FilePlace;
  readonly request: RequestInput;
  readonly response?: OriginResponse;
  readonly expect: readonly Expectation[];
}

const MEMBERS = ["zone", "redirectLists", "coverage", "request", "tests"];
const TEST_MEMBERS = ["name", "request", "response", "expect"];

/**
 * Reads tests.
 * @param others the members that say which rules are tested
 * @throws Error with the line of the mistake
 */
export function readTests(document: TextDocument, others: readonly string[]): Tests {
  const { value } = document;
  if (!isObject(value)) throw document.errorAt([], "must be an object with rules and tests");
  document.rejectUnknownMembers(value, [...others, ...MEMBERS], [], "a file of tests");
  const { tests, coverage } = value;
  if (!Array.isArray(tests) || tests.length === 0) throw document.errorAt(["tests"], "must be a list of tests");
  if (coverage !== undefined && !(typeof coverage === "number" && coverage >= 0 && coverage <= 1))
    throw document.errorAt(["coverage"], "must be a number from 0 to 1");
  const defaults = value.request === undefined ? {} : readPart(document, value.request, ["request"]);
  return {
    zone: readZoneOf(document, value.zone),
    redirectLists: readRedirectLists(document, value.redirectLists, ["redirectLists"]),
    coverage,
    tests: (tests as unknown[]).map((item, index) => readTest(document, item, ["tests", index], defaults)),
  };
}

/**
 * The tests in a zone: a request whose URL is a path goes to the zone, so that a file can test many zones.
 * @throws FileError if the zone has no name
 */
export function testsInZone<T extends Tests>(suite: T, zone: string | undefined = suite.zone.name): T {
  return {
    ...suite,
    tests: suite.tests.map((test): TestCase => {
      const url = String(test.request.url);
      if (!url.startsWith("/")) return test;
      if (zone === undefined)
        throw new FileError(
          test.place,
          [],
          `${url} is the path of a zone whose name is not known. To continue: add \`zone: { name: … }\` to the file`,
        );
      return { ...test, request: { ...test.request, url: `https://${zone}${url}` } };
    }),
  };
}

function readTest(document: TextDocument, item: unknown, at: Steps, defaults: Partial<RequestInput>): TestCase {
  if (!isObject(item)) throw document.errorAt(at, "must be an object with request and expect");
  document.rejectUnknownMembers(item, TEST_MEMBERS, at, "a test");
  const request = readRequest(document, item.request ?? {}, [...at, "request"], defaults);
  const name = textAt(document, item, "name", at) ?? `${request.method ?? "GET"} ${String(request.url)}`;
  if (item.expect === undefined) throw document.errorAt(at, "expect is required: what the rules do to the request");
  return {
    name,
    place: document.place(at),
    request,
    response: readResponse(document, item.response, [...at, "response"]),
    expect: readExpect(document, item.expect, [...at, "expect"]),
  };
}

function readResponse(document: TextDocument, value: unknown, at: Steps): OriginResponse | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number") return { status: value };
  if (isObject(value) && typeof value.status === "number" && (value.headers === undefined || isTexts(value.headers))) {
    return { status: value.status, headers: value.headers as Record<string, string> | undefined };
  }
  throw document.errorAt(at, "must be a status code, or an object with status and headers");
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((item) => typeof item === "string");
}

function readZoneOf(document: TextDocument, value: unknown): ZoneInput {
  if (value === undefined) return {};
  if (typeof value === "string") return { id: value };
  if (!isObject(value))
    throw document.errorAt(["zone"], "must be the ID of a zone, or an object with id, name and plan");
  document.rejectUnknownMembers(value, ["id", "name", "plan", "urlNormalization"], ["zone"], "a zone");
  const { plan } = value;
  if (plan !== undefined && !PLANS.some((known) => known === plan))
    throw document.errorAt(["zone", "plan"], "must be free, pro, business or enterprise");
  return value;
}

/** A text of an object; undefined if it has none of that name. */
export function textAt(document: TextDocument, from: object, name: string, at: Steps): string | undefined {
  const value = (from as Readonly<Record<string, unknown>>)[name];
  if (value !== undefined && typeof value !== "string") throw document.errorAt([...at, name], "must be a string");
  return value;
}
