import type { RequestInput } from "../../../core/language/index.js";
import { FileError, readEach, type FilePlace } from "../../../core/model/file-error.js";
import type { Steps, TextDocument } from "../text/text-document.js";
import { readBySchema } from "../../../core/files/file-schema.js";
import { schema, type FirewallTests, type Test } from "../../../core/files/generated/validate-firewall-tests.js";
import type { OriginResponse, ZoneInput } from "../../../core/simulator/index.js";
import { readPart, readRequest } from "../request.js";
import { expectationsOf, type Expectation } from "./expectation.js";

/** The tests of a document, and what is known about the zone that they run in. */
export interface Tests {
  readonly zone: ZoneInput;
  readonly redirectLists?: FirewallTests["redirectLists"];
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

/**
 * Reads tests.
 * @param value the document without what its schema does not have
 * @throws FileError with the lines of all mistakes
 */
export function readTests(document: TextDocument, value: unknown = document.value): Tests {
  const { zone = {}, coverage, ...file } = readBySchema(document, schema, { value, at: [] });
  const defaults = file.request === undefined ? {} : readPart(document, file.request, ["request"]);
  return {
    zone: typeof zone === "string" ? { id: zone } : zone,
    redirectLists: file.redirectLists,
    coverage,
    tests: readEach(file.tests, (test, index) => readTest(document, test, ["tests", index], defaults)),
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

function readTest(document: TextDocument, test: Test, at: Steps, defaults: Partial<RequestInput>): TestCase {
  const { name, response, expect } = test;
  const request = readRequest(document, test.request ?? {}, [...at, "request"], defaults);
  return {
    name: name ?? `${request.method ?? "GET"} ${String(request.url)}`,
    place: document.place(at),
    request,
    response: typeof response === "number" ? { status: response } : response,
    expect: expectationsOf(expect),
  };
}
