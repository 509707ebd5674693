import { Composer, Document, Lexer, Parser, YAMLParseError, type CST, type LineCounter } from "yaml";

/**
 * A file of rules has some ten levels. The library reads each level inside the one around it: some thousand of them exceed the
 * stack, and more can end the process, which no `catch` prevents.
 */
const MOST_LEVELS = 200;

/**
 * As `parseDocument` of the library, but a text that is nested too deeply is a fault like any other, and the library warns of nothing:
 * what is wrong with a text is a fault, or found by whoever reads it.
 */
export function composeYaml(text: string, lines: LineCounter): Document {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MOST_LEVELS) return tooDeep(parser.offset);
  }
  tokens.push(...parser.end());
  const [document = new Document(), another] = new Composer({ prettyErrors: false, logLevel: "error" }).compose(
    tokens,
    true,
    text.length,
  );
  if (another !== undefined)
    document.errors.push(fault(another.range[0], "MULTIPLE_DOCS", "Only one document is read"));
  return document;
}

function tooDeep(offset: number): Document {
  const document = new Document();
  document.errors.push(fault(offset, "RESOURCE_EXHAUSTION", `More than ${String(MOST_LEVELS)} levels of nesting`));
  return document;
}

function fault(offset: number, code: YAMLParseError["code"], message: string): YAMLParseError {
  return new YAMLParseError([offset, offset + 1], code, message);
}
