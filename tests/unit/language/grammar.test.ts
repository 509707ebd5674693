import { parseExpression, printExpression, type Condition } from "../../../core/language/index";

/** How an expression was parsed: every combination in parentheses. */
function shape(text: string): string {
  const parsed = parseExpression(text);
  if ("fault" in parsed) return parsed.fault.message;
  return parsed.expression.kind === "filter" ? show(parsed.expression.condition) : "";
}

function show(condition: Condition): string {
  switch (condition.kind) {
    case "combination":
      return `[${condition.items.map(show).join(` ${condition.op} `)}]`;
    case "not":
      return `not ${show(condition.of)}`;
    case "group":
      return `(${show(condition.of)})`;
    default:
      return printExpression({ kind: "filter", condition });
  }
}

function notes(text: string): string[] {
  const parsed = parseExpression(text);
  return "fault" in parsed ? [parsed.fault.message] : parsed.notes.map(({ code }) => code);
}

describe("precedence", () => {
  it.each([
    ["ssl and ssl or ssl", "[[ssl and ssl] or ssl]"],
    ["ssl or ssl and ssl", "[ssl or [ssl and ssl]]"],
    ["ssl or ssl xor ssl and ssl", "[ssl or [ssl xor [ssl and ssl]]]"],
    ["ssl and ssl xor ssl or ssl", "[[[ssl and ssl] xor ssl] or ssl]"],
    ["ssl and ssl and ssl", "[ssl and ssl and ssl]"],
    ["ssl && ssl || ssl ^^ ssl", "[[ssl and ssl] or [ssl xor ssl]]"],
    ["(ssl and ssl) and ssl", "[([ssl and ssl]) and ssl]"],
    ["not ssl and ssl", "[not ssl and ssl]"],
    ["not not ssl", "not not ssl"],
    ["!!ssl", "not not ssl"],
    ["not (ssl or ssl)", "not ([ssl or ssl])"],
    ['not http.host eq "a" and ssl', '[not http.host eq "a" and ssl]'],
    ["not tcp.flags & 3", "not tcp.flags bitwise_and 3"],
  ])("%s is %s", (text, expected) => {
    expect(shape(text)).toBe(expected);
  });
});

describe("operators", () => {
  it.each([
    ["eq", "=="],
    ["ne", "!="],
    ["lt", "<"],
    ["le", "<="],
    ["gt", ">"],
    ["ge", ">="],
  ])("%s and %s are the same operator", (word, sign) => {
    expect(shape(`tcp.dstport ${sign} 1`)).toBe(`tcp.dstport ${word} 1`);
    expect(shape(`tcp.dstport${sign}1`)).toBe(`tcp.dstport ${word} 1`);
  });

  it.each([
    ['http.host ~ "a"', 'http.host matches "a"'],
    ["tcp.flags & 1", "tcp.flags bitwise_and 1"],
    ['http.host strict wildcard "a"', 'http.host strict wildcard "a"'],
    ["http.host eq raw.http.request.uri.path", "http.host eq raw.http.request.uri.path"],
    ["len(http.host) gt len(http.request.uri)", "len(http.host) gt len(http.request.uri)"],
  ])("reads %s", (text, expected) => {
    expect(shape(text)).toBe(expected);
  });

  it("accepts strict wildcard with exactly one space", () => {
    expect(shape('http.host strict  wildcard "a"')).toMatch(/`strict wildcard`, with one space/);
  });
});

describe("white space", () => {
  it("is trimmed around an expression, with everything that Unicode calls white space", () => {
    expect(shape("\t\u00a0 ssl\u2003\n\u0085")).toBe("ssl");
  });

  it("is optional between words and signs", () => {
    expect(shape('http.host=="a"&&ssl||any(http.request.headers["x"][*]in{"a""b"})')).toBe(
      '[[http.host eq "a" and ssl] or any(http.request.headers["x"][*] in {"a" "b"})]',
    );
    expect(shape('lower ( http.host )eq"a"')).toBe('lower(http.host) eq "a"');
    expect(shape('http.request.headers[ "a" ][ 0 ] eq "x"')).toBe('http.request.headers["a"][0] eq "x"');
  });

  it("includes line breaks, but no tab and no other Unicode white space", () => {
    expect(shape("ssl\r\nand\nssl")).toBe("[ssl and ssl]");
    expect(shape("ssl\tand ssl")).toMatch(/found a tab/);
    expect(shape('http.host\teq "a"')).toMatch(/found a tab/);
    expect(shape("ssl\u00a0and ssl")).toMatch(/ordinary space/);
  });

  it("is not allowed before an index", () => {
    expect(shape('http.request.headers ["a"][0] eq "x"')).toMatch(/remove the space/);
  });
});

describe("keywords without a space", () => {
  it.each([
    ["notssl", "not ssl", ["glued-keyword"]],
    ["ssl orssl", "[ssl or ssl]", ["glued-keyword"]],
    ["ssl andnot ssl", "[ssl and not ssl]", ["glued-keyword", "glued-keyword"]],
    ["ip.src eqffff::1", "ip.src eq ffff::1", ["glued-keyword"]],
    ["ip.src gta:b::", "ip.src gt a:b::", ["glued-keyword"]],
    ["tcp.dstport eq80", "tcp.dstport eq 80", ["glued-keyword"]],
    ["tcp.dstport eq 80or ssl", "[tcp.dstport eq 80 or ssl]", ["glued-keyword"]],
    ['http.host eq "a"and ssl', '[http.host eq "a" and ssl]', []],
    ["(ssl)and(ssl)", "[(ssl) and (ssl)]", []],
  ])("%s is parsed as %s", (text, expected, found) => {
    expect(shape(text)).toBe(expected);
    expect(notes(text)).toEqual(found);
  });

  it("are not found in a word that only begins like an operator", () => {
    expect(shape('http.host equals "a"')).toMatch(/`equals` is not an operator/);
    expect(shape('http.hots contain "a"')).toMatch(/`contain` is not an operator. The operator is `contains`/);
    expect(shape('http.host inside {"a"}')).toMatch(/expected an operator/);
  });
});

describe("calls and indexes", () => {
  it.each([
    'any(http.request.headers["a"][*] eq "b")',
    'any((http.request.headers["a"][*] eq "b" and http.request.headers["a"][*] ne "c"))',
    'all(not http.request.headers["a"][*] eq "b")',
    'concat(http.host, "a", http.request.uri) eq "b"',
    "len(concat(http.host, lower(upper(http.host)))) eq 3",
    'any(lower(http.request.headers.names[*])[*] == "x")',
    'http.request.headers["a\\"b"][0x1] eq "x"',
    "http.request.uri.args.names[4294967295] eq http.host",
    "to_string((ssl and ssl)) eq http.host",
  ])("reads %s", (text) => {
    expect(parseExpression(text)).toHaveProperty("expression");
  });

  it.each([
    ["len(http.host,)", /remove the comma/],
    ["len(http.host http.host)", /expected `,` or `\)`/],
    ["len(http.host", /never closed/],
    ["any(ssl, ssl)", /takes one argument/],
    ["any()", /needs one condition/],
    ['any(http.request.headers["a"][*] eq "b" and ssl)', /any\(\(a and b\)\)/],
    ["http.request.headers[a][0]", /in quotes: `\["a"\]`/],
    ['http.request.headers[r"a"][0]', /plain quotes/],
    ["http.request.headers[-1]", /from 0 to 4294967295/],
    ["http.request.headers[4294967296]", /from 0 to 4294967295/],
    ["http.request.headers[0", /expected `\]`/],
    ['http.request.headers["\\xff"][0]', /UTF-8/],
    ["http.host.", /not a complete name/],
    ["len http.host", /`\(` after the function/],
  ])("refuses %s", (text, message) => {
    expect(shape(text)).toMatch(message);
  });
});

describe("the cost of parsing", () => {
  it("ends at the first parenthesis that is nested too deeply, however many follow", () => {
    const parsed = parseExpression("(".repeat(1_000_000));
    expect(parsed).toMatchObject({ fault: { code: "nesting", offset: 500 } });
  });

  it.each(["!", "not ", "len(", "any("])("has a limit on the nesting of %s", (opening) => {
    expect(parseExpression(opening.repeat(100_000))).toMatchObject({ fault: { code: "nesting" } });
  });

  it("reads every character of a long text a bounded number of times", () => {
    let reads = 0;
    const steps = (length: number): number => {
      const text = `${"ssl and ".repeat(length / 8)}ssl`;
      const counted = new Proxy(new String(text), {
        get(target, key) {
          reads += 1;
          const value: unknown = Reflect.get(target, key, target);
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      });
      reads = 0;
      parseExpression(counted as unknown as string);
      return reads;
    };
    const [small, large] = [steps(800), steps(8000)];
    expect(large / small).toBeLessThan(11);
  });
});
