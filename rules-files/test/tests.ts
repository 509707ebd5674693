import { PLANS, type RequestInput } from "../../language/index.js";
import { isObject } from "../../provider/model/json.js";
import { FileError, readEach, readParts, type FilePlace } from "../../provider/model/file-error.js";
import type { Steps, TextDocument } from "../../provider/files/text-document.js";
import type { OriginResponse, ZoneInput } from "../../simulator/index.js";
import { readRedirectLists, type RedirectLists } from "../lists.js";
import { readPart, readRequest } from "../request.js";
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
 * @throws FileError with the lines of all mistakes
 */
export function readTests(document: TextDocument, others: readonly string[]): Tests {
  const { value } = document;
  if (!isObject(value)) throw document.errorAt([], "must be an object with rules and tests");
  const defaults = () => (value.request === undefined ? {} : readPart(document, value.request, ["request"]));
  const { zone, redirectLists, coverage, tests } = readParts({
    members: () => {
      document.rejectUnknownMembers(value, [...others, ...MEMBERS], [], "a file of tests");
    },
    request: defaults,
    zone: () => readZoneOf(document, value.zone),
    redirectLists: () => readRedirectLists(document, value.redirectLists, ["redirectLists"]),
    coverage: () => readCoverage(document, value.coverage),
    tests: () => {
      if (value.tests === undefined && isMisspelled(value, [...others, ...MEMBERS])) return [];
      return readList(document, value.tests, orAny(defaults));
    },
  });
  return { zone, redirectLists, coverage, tests };
}

/** Whether a member that is missing may be there under another name, which is said. */
function isMisspelled(value: object, names: readonly string[]): boolean {
  return Object.keys(value).some((name) => !names.includes(name));
}

function readCoverage(document: TextDocument, value: unknown): number | undefined {
  if (value === undefined || (typeof value === "number" && value >= 0 && value <= 1)) return value;
  throw document.errorAt(["coverage"], "must be a number from 0 to 1");
}

/** Where the defaults have a mistake, tests are read as if those had an address. */
function orAny(defaults: () => Partial<RequestInput>): Partial<RequestInput> {
  try {
    return defaults();
  } catch {
    return { url: "/" };
  }
}

function readList(document: TextDocument, tests: unknown, defaults: Partial<RequestInput>): readonly TestCase[] {
  if (!Array.isArray(tests) || tests.length === 0) throw document.errorAt(["tests"], "must be a list of tests");
  return readEach(tests as unknown[], (item, index) => readTest(document, item, ["tests", index], defaults));
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
  const { request, name, response, expect } = readParts({
    members: () => {
      document.rejectUnknownMembers(item, TEST_MEMBERS, at, "a test");
    },
    request: () => readRequest(document, item.request ?? {}, [...at, "request"], defaults),
    name: () => textAt(document, item, "name", at),
    response: () => readResponse(document, item.response, [...at, "response"]),
    expect: () => {
      if (item.expect !== undefined) return readExpect(document, item.expect, [...at, "expect"]);
      if (isMisspelled(item, TEST_MEMBERS)) return [];
      throw document.errorAt(at, "expect is required: what the rules do to the request");
    },
  });
  return {
    name: name ?? `${request.method ?? "GET"} ${String(request.url)}`,
    place: document.place(at),
    request,
    response,
    expect,
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
