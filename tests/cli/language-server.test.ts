import {
  CodeActionRequest,
  CompletionRequest,
  DidChangeConfigurationNotification,
  DocumentFormattingRequest,
  ErrorCodes,
  ExitNotification,
  HoverRequest,
  LSPErrorCodes,
  CancellationTokenSource,
  type CodeAction,
  type CompletionItem,
  type MarkupContent,
  type Range,
} from "vscode-languageserver/node";
import { EditorClient, shown } from "./editor-client.js";

const TESTS = `rules:
  - phase: http_request_firewall_custom
    rules:
      - action: block
        description: Closed
        expression: http.hots eq "a.example.com"
tests:
  - request: GET https://a.example.com/
    expect: block
`;

describe("the language server", () => {
  let client: EditorClient;
  beforeAll(async () => {
    ({ client } = await EditorClient.start());
  });
  afterAll(async () => {
    expect(await client.stop()).toBe(0);
    expect(client.errors).toBe("");
  });

  test("says what is wrong with a file of tests, at the part that it is about", async () => {
    await client.open("file:///a.firewall.yaml", TESTS);
    expect(shown(await client.diagnostics("file:///a.firewall.yaml", 1))).toEqual([
      expect.stringMatching(
        /^6:21-6:30 warning unknown-field "Closed": `http.hots` is not a known field. Did you mean `http.host`\?/,
      ),
      expect.stringMatching(/^8:5-8:40 error the test "GET https:\/\/a.example.com\/" fails: /),
    ]);
  });

  test("follows edits of a part, and of a text that is not YAML for a while", async () => {
    const uri = "file:///b.firewall.yaml";
    await client.open(uri, TESTS);
    const range = { start: { line: 5, character: 20 }, end: { line: 5, character: 29 } };
    await client.change(uri, 2, { range, text: "http.host" });
    expect(shown(await client.diagnostics(uri, 2))).toEqual([]);
    await client.change(uri, 3, { text: TESTS.replace("tests:", "tests: [") });
    const found = shown(await client.diagnostics(uri, 3));
    expect(found[0]).toMatch(/^[89]:\d+-[89]:\d+ error [A-Z]/);
    expect(found.at(-1)).toMatch(/^6:21-6:30 warning unknown-field/);
  });

  test("takes a burst of edits, and publishes findings of the last version", async () => {
    const uri = "file:///burst.firewall.yaml";
    await client.open(uri, TESTS);
    const end = { line: 5, character: 29 };
    const edits = Array.from({ length: 50 }, (_, index) => index);
    await Promise.all(edits.map((index) => client.change(uri, index + 2, { range: { start: end, end }, text: "x" })));
    const found = shown(await client.diagnostics(uri, 51));
    expect(found[0]).toContain(`\`http.hots${"x".repeat(50)}\` is not a known field`);
    await client.close(uri);
    expect(await client.diagnostics(uri, undefined)).toEqual([]);
  });

  test.each([
    ["a.firewall.yaml", "\u0000\uffff{[}]: &a *a"],
    ["a.firewall.yaml", "&a [*a, *a]"],
    ["a.invariants.yaml", "invariants: 7"],
    ["waivers.yaml", "- - -"],
    ["rules.json", '{"phase":"http_ratelimit","rules":[null,{"expression":{}}],"expression":'],
    ["index.ts", 'import "pulumi-rulesets"; expression`${`${expression`'],
    ["index.ts", '"pulumi-rulesets"; }}}))) {expression: /[/ `'],
  ])("%s can contain rubbish: %s", async (name, text) => {
    const uri = `file:///rubbish/${name}`;
    await client.open(uri, text);
    expect(await client.diagnostics(uri, 1)).toBeInstanceOf(Array);
    const textDocument = { uri };
    for (let character = 0; character <= text.length; character += 1) {
      const position = { line: 0, character };
      await client.connection.sendRequest(HoverRequest.type, { textDocument, position });
      await client.connection.sendRequest(CompletionRequest.type, { textDocument, position });
    }
    const options = { tabSize: 2, insertSpaces: true };
    expect(await client.connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options })).toEqual([]);
    await client.close(uri);
  });

  describe("in a program", () => {
    const uri = "file:///index.ts";
    const textDocument = { uri };
    const text =
      'import { expression } from "pulumi-rulesets";\nconst a = expression`http.hots eq ${x} and ip.src.country in {"DE" ""}`;\n';
    beforeAll(() => client.open(uri, text, "typescript"));

    test("publishes findings, with the page that explains them", async () => {
      const found = await client.diagnostics(uri, 1);
      expect(shown(found)).toEqual([expect.stringMatching(/^2:22-2:31 warning unknown-field /)]);
      expect(found[0]?.codeDescription?.href).toMatch(/\/docs\/findings\.md#unknown-field$/);
    });

    test("explains a name", async () => {
      const found = await client.connection.sendRequest(HoverRequest.type, {
        textDocument,
        position: { line: 1, character: 46 },
      });
      expect((found?.contents as MarkupContent).value).toContain("ip.src.country: String");
      expect(found?.range).toEqual({ start: { line: 1, character: 43 }, end: { line: 1, character: 57 } });
    });

    test("completes values, fields and functions", async () => {
      const complete = async (character: number): Promise<CompletionItem[]> =>
        (await client.connection.sendRequest(CompletionRequest.type, {
          textDocument,
          position: { line: 1, character },
        })) as CompletionItem[];
      expect((await complete(68)).map(({ label }) => label)).toEqual(expect.arrayContaining(["FR"]));
      const items = await complete(21);
      expect(items.find(({ label }) => label === "http.host")?.textEdit).toEqual({
        range: { start: { line: 1, character: 21 }, end: { line: 1, character: 30 } },
        newText: "http.host",
      });
      // This client goes on nowhere in what it inserts.
      expect(items.find(({ label }) => label === "lower")?.textEdit?.newText).toBe("lower(");
    });

    test("offers a fix, as an edit of this version of the document", async () => {
      const at = { line: 1, character: 25 };
      const range: Range = { start: at, end: at };
      const actions = (await client.connection.sendRequest(CodeActionRequest.type, {
        textDocument,
        range,
        context: { diagnostics: [], only: ["quickfix"] },
      })) as CodeAction[];
      expect(actions.map(({ title }) => title)).toEqual(["Change to `http.host`"]);
      expect(actions[0]?.edit?.documentChanges).toEqual([
        {
          textDocument: { uri, version: 1 },
          edits: [
            { range: { start: { line: 1, character: 21 }, end: { line: 1, character: 30 } }, newText: "http.host" },
          ],
        },
      ]);
    });
  });

  test("formats expressions", async () => {
    const uri = "file:///format.invariants.yaml";
    await client.open(uri, 'invariants:\n  - { name: a, must: block, requests: ssl&&http.host=="a" }\n');
    const edits = await client.connection.sendRequest(DocumentFormattingRequest.type, {
      textDocument: { uri },
      options: { tabSize: 2, insertSpaces: true },
    });
    expect(edits?.map(({ newText }) => newText)).toEqual(['ssl and http.host eq "a"']);
  });

  test("knows the plan from the settings", async () => {
    const uri = "file:///plan.invariants.yaml";
    await client.open(uri, 'invariants: [{ name: a, must: block, requests: http.host matches "a" }]');
    expect(await client.diagnostics(uri, 1)).toEqual([]);
    const settings = { pulumiRulesets: { plan: "free" } };
    client.forget(uri);
    await client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings });
    expect(shown(await client.diagnostics(uri, 1)).join()).toContain("plan");
  });

  test("drops a request that is cancelled, and answers one that it does not know with an error", async () => {
    const position = { line: 0, character: 0 };
    const source = new CancellationTokenSource();
    const textDocument = { uri: "file:///none.yaml" };
    const answer = client.connection.sendRequest(CompletionRequest.type, { textDocument, position }, source.token);
    source.cancel();
    // The answer may have been on its way already.
    const result = await answer.catch((error: unknown) => (error as { code: number }).code);
    expect([[], LSPErrorCodes.RequestCancelled]).toContainEqual(result);
    await expect(client.connection.sendRequest("rulesets/unknown", {})).rejects.toMatchObject({
      code: ErrorCodes.MethodNotFound,
    });
  });
});

test("the server says what it can do, and its version", async () => {
  const { client, result } = await EditorClient.start({ plan: "enterprise" });
  expect(result.serverInfo).toEqual({ name: "pulumi-rulesets", version: expect.stringMatching(/^\d/) as string });
  expect(Object.keys(result.capabilities).sort()).toEqual([
    "codeActionProvider",
    "completionProvider",
    "documentFormattingProvider",
    "hoverProvider",
    "textDocumentSync",
  ]);
  expect(await client.stop()).toBe(0);
});

test("it ends with 1 if the editor leaves without saying goodbye, or goes away", async () => {
  const { client } = await EditorClient.start();
  await client.connection.sendNotification(ExitNotification.type);
  expect(await client.ended).toBe(1);
  const other = await EditorClient.start();
  other.client.server.stdin.end();
  expect(await other.client.ended).toBe(1);
});
