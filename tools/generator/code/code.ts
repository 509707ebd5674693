/** The source of an imported name: a package, or a file of the program such as `./account`. */
export interface Import {
  readonly name: string;
  readonly from: string;
  /** A type, which is erased at compile time. */
  readonly type?: boolean;
}

/** A member of an object literal. */
export interface Member {
  /** A literal key, or a name whose value is the key. */
  readonly key: string | Name;
  readonly value: Code;
  readonly comment?: string;
}

/** A variable, or a member of one such as `managedRulesets.free`. */
export interface Name {
  readonly kind: "name";
  readonly text: string;
  readonly imports?: Import;
  readonly comment?: string;
}

/** An expression of the generated program, limited to the shapes that these programs need. */
export type Code =
  | Name
  | { readonly kind: "literal"; readonly value: string | number | boolean | null; readonly comment?: string }
  | { readonly kind: "list"; readonly items: readonly Code[]; readonly comment?: string }
  | {
      readonly kind: "object";
      readonly members: readonly Member[];
      /** Print one member per line, even if it would fit on one line. */
      readonly open?: boolean;
      readonly comment?: string;
    }
  | {
      readonly kind: "call";
      readonly callee: Name;
      readonly isNew?: boolean;
      readonly args: readonly Code[];
      readonly comment?: string;
    }
  | {
      readonly kind: "template";
      readonly tag?: Name;
      /** Whether the tag reads the text as it is written, so that backslashes are not doubled. */
      readonly isRaw?: boolean;
      readonly parts: readonly (string | Name)[];
      readonly comment?: string;
    };

export function literal(value: string | number | boolean | null): Code {
  return { kind: "literal", value };
}

export function name(text: string, from?: string): Name {
  const [root = text] = text.split(".");
  return { kind: "name", text, ...(from === undefined ? {} : { imports: { name: root, from } }) };
}

/** Every imported name in the code, at any depth. */
export function importsOf(code: Code): Import[] {
  switch (code.kind) {
    case "literal":
      return [];
    case "name":
      return code.imports === undefined ? [] : [code.imports];
    case "list":
      return code.items.flatMap(importsOf);
    case "object":
      return code.members.flatMap(({ key, value }) => [
        ...(typeof key === "string" ? [] : importsOf(key)),
        ...importsOf(value),
      ]);
    case "call":
      return [code.callee, ...code.args].flatMap(importsOf);
    case "template":
      return [
        ...(code.tag === undefined ? [] : importsOf(code.tag)),
        ...code.parts.flatMap((part) => (typeof part === "string" ? [] : importsOf(part))),
      ];
  }
}
