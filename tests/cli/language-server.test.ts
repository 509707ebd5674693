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
});
