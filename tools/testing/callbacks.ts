import * as pulumi from "@pulumi/pulumi";
import { dirname, join, relative, sep } from "node:path";
import { isKnown } from "../../provider/sdk/resources/promise-of.js";
import { currentPlace } from "./program-place.js";

type Callback = (value: unknown) => unknown;
type Apply = (this: pulumi.Output<unknown>, callback: Callback, runsAlways?: boolean) => unknown;

/** Calls of these declare nothing; nor do methods of what a callback gets, or of a result. */
const HARMLESS = new Set([
  ...["if", "for", "while", "switch", "catch", "return", "function", "await", "typeof"],
  ...["Array", "BigInt", "Boolean", "Buffer", "JSON", "Math", "Number", "Object", "String", "console"],
  ...["decodeURIComponent", "encodeURIComponent", "isNaN", "parseFloat", "parseInt"],
]);
const CALL = /(?<![\w$.)\]]|\bnew )([A-Za-z_$][\w$]*)(?:\??\.[\w$]+|\[[^\]]*\])*(?:\?\.)?\(/g;
/** A call of what an expression returns: a compiler makes `(0, module.declare)(value)` of a call of an imported function. */
const CALL_OF_VALUE = /[)\]](?:\?\.)?\(/;
/** A regular expression, whose groups look like such a call; nothing is divided after these signs. */
const PATTERN = /(?<=(?:[(,=>]|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g;
/** A function that a method is given to call it: `names.forEach(declare)`. */
const CALLED_BY =
  /\.(?:apply|bind|call|catch|every|filter|finally|find|flatMap|forEach|map|reduce|reduceRight|some|then)\(\s*([A-Za-z_$][\w$]*)[\w$.?]*\s*[,)]/g;
const NEW = /\bnew\s+(?!(?:\w*Error|Date|Map|RegExp|Set|URL|URLSearchParams)\b)/;

/** Code that computes values for resources, and declares none: that of the SDK and of this package. */
const PROVIDER = join(dirname(dirname(__dirname)), "provider") + sep;
const COMPUTING = [join("@pulumi", "pulumi") + sep, PROVIDER, PROVIDER.replace(`${sep}dist${sep}`, sep)];

/** What the callbacks of a program's outputs do. */
export interface Callbacks {
  /** Where code waits for outputs that are not known, and could declare resources. */
  readonly skipped: Set<string>;
  /** How many have been called. */
  called: number;
  /** Those that have not ended. */
  readonly running: Set<Promise<unknown>>;
}

let current: Callbacks | undefined;

/** Begins to watch callbacks: the SDK does not tell which it did not call, nor waits for those that it calls. */
export function watchCallbacks(): Callbacks {
  if (current === undefined) changeApply();
  return (current = { skipped: new Set(), called: 0, running: new Set() });
}

function changeApply(): void {
  // The SDK's types have the class only as a function that makes outputs.
  const { prototype } = pulumi.Output as unknown as { readonly prototype: { apply: Apply } };
  const { apply } = prototype;
  prototype.apply = function applyWatched(callback, runsAlways) {
    if (runsAlways === true) return apply.call(this, callback, runsAlways);
    if (mayDeclare(callback) && !isComputing(applyWatched)) void noteIfSkipped(this, placeOfProgram());
    return apply.call(this, watched(callback));
  };
}

async function noteIfSkipped(output: pulumi.Output<unknown>, place: string): Promise<void> {
  const { skipped } = current ?? {};
  // An output that fails is reported elsewhere.
  if (!(await isKnown(output).catch(() => true))) skipped?.add(place);
}

function watched(callback: Callback): Callback {
  return (value) => {
    const result = callback(value);
    const program = current;
    if (program === undefined) return result;
    program.called += 1;
    if (!(result instanceof Promise)) return result;
    const ended: Promise<unknown> = result.then(ignore, ignore).then(() => program.running.delete(ended));
    program.running.add(ended);
    return result;
  };
}

function ignore(): void {
  // Whoever gets the result learns of its failure.
}

/** Whether a callback could declare resources, by its text: it constructs something, or calls functions of the program. */
export function mayDeclare(callback: unknown): boolean {
  const text = String(callback);
  if (text.includes("[native code]")) return text.includes("function () {") || /function bound /.test(text);
  if (NEW.test(text) || CALL_OF_VALUE.test(text.replace(PATTERN, ""))) return true;
  const given = new Set(
    text
      .split("=>")
      .slice(0, -1)
      .flatMap((before) => lastWords(before)),
  );
  const called = [...text.matchAll(CALL), ...text.matchAll(CALLED_BY)];
  return called.some(([, name = ""]) => !HARMLESS.has(name) && !given.has(name));
}

/** The parameters before an arrow. */
function lastWords(text: string): readonly string[] {
  return /(?:\(([^()]*)\)|([\w$]+))\s*$/.exec(text)?.[0].match(/[A-Za-z_$][\w$]*/g) ?? [];
}

function isComputing(below: Apply): boolean {
  const at: { stack?: string } = {};
  Error.captureStackTrace(at, below);
  const [, caller = ""] = at.stack?.split("\n") ?? [];
  return COMPUTING.some((part) => caller.includes(part));
}

function placeOfProgram(): string {
  const place = currentPlace();
  return place === undefined ? "a package of the program" : `${relative("", place.file)}:${String(place.line)}`;
}
