import { commentOn, expectComment } from "../cli/commented.js";
import { unpacedClientFor } from "../support/client.js";
import { COMMENTED_SEED, commentedEdits, prepared } from "../support/commented-edits.js";
import { EngineStack, type Library } from "./support/stack.js";

/* A preview of the real engine leads to the same comment as that of the tests without an engine. */

interface Args {
  readonly type: "PhaseEntrypoint" | "RulesetRule";
  readonly zoneId: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const program = ({ pulumi, ...library }: Library, { type, zoneId, values }: Args) => {
  const typed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(typed);
    if (typeof value !== "object" || value === null) return value;
    if ("secret" in value) return pulumi.secret(value.secret);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typed(item)]));
  };
  const Resource = library[type] as new (name: string, args: object) => unknown;
  new Resource("waf", { zoneId, ...(typed(values) as object) });
};

test("a changed secret", async () => {
  const name = "a changed secret";
  const edit = commentedEdits[name];
  if (edit === undefined) throw new Error("no such edit");
  const stack = await EngineStack.start({ seed: COMMENTED_SEED });
  const zoneId = await prepared(stack.service, edit);
  const args = (values: Args["values"]): Args => ({ type: edit.type, zoneId, values });
  if (edit.before !== undefined) {
    const up = await stack.up(program, args(edit.before));
    if (!up.ok) throw new Error(up.text);
  }
  const { text } = await stack.previewJson(program, args(edit.after));
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  const { comment } = await commentOn(json, unpacedClientFor(stack.emulator.url));
  expectComment(name, comment.replaceAll("test/dev", "firewall/prod"));
});
