import type * as pulumi from "@pulumi/pulumi";
import type { Description } from "../../../provider/engine/description.js";
import type { Mismatch } from "../../../provider/resources/mismatch.js";

/* The compiler finds where a class and the description of its kind differ: `npm run types` runs these tests. */

const _LAMP = {
  type: "Lamp",
  text: "A lamp.",
  arguments: {
    room: { type: "string", text: "Where it is.", required: true, change: "replace", output: true },
    watts: { type: "number", text: "How bright.", change: "write" },
    mode: { type: "string", text: "How.", choices: ["bright", "dim"], change: "write" },
    tags: { type: { list: "string" }, text: "Words.", change: "none" },
  },
  checked: {},
  outputs: { on: { type: "boolean", text: "Whether it is on.", required: true } },
} as const satisfies Description;

interface Args {
  readonly room: pulumi.Input<string>;
  readonly watts?: pulumi.Input<number | undefined>;
  readonly mode?: pulumi.Input<"bright" | "dim" | undefined>;
  readonly tags?: pulumi.Input<pulumi.Input<string>[] | undefined>;
}
interface Lamp extends pulumi.CustomResource {
  readonly room: pulumi.Output<string>;
  readonly on: pulumi.Output<boolean>;
}
type With<T, Changes> = Omit<T, keyof Changes> & Changes;

/** What the compiler finds, in one place: a line that it accepts here holds. */
interface Found {
  readonly none: Mismatch<typeof _LAMP, Args, Lamp>;
  readonly forgotten: Mismatch<typeof _LAMP, Omit<Args, "watts">, Lamp>;
  readonly unknown: Mismatch<typeof _LAMP, Args & { readonly colour?: string }, Lamp>;
  readonly optional: Mismatch<typeof _LAMP, With<Args, { readonly room?: pulumi.Input<string> }>, Lamp>;
  readonly required: Mismatch<typeof _LAMP, With<Args, { readonly watts: pulumi.Input<number> }>, Lamp>;
  readonly type: Mismatch<typeof _LAMP, With<Args, { readonly watts?: pulumi.Input<string> }>, Lamp>;
  readonly fewerChoices: Mismatch<typeof _LAMP, With<Args, { readonly mode?: pulumi.Input<"dim"> }>, Lamp>;
  readonly moreChoices: Mismatch<
    typeof _LAMP,
    With<Args, { readonly mode?: pulumi.Input<"bright" | "dim" | "off"> }>,
    Lamp
  >;
  readonly items: Mismatch<typeof _LAMP, With<Args, { readonly tags?: pulumi.Input<number[]> }>, Lamp>;
  readonly output: Mismatch<typeof _LAMP, Args, With<Lamp, { readonly on: pulumi.Output<string> }>>;
  readonly maybe: Mismatch<typeof _LAMP, Args, With<Lamp, { readonly on: pulumi.Output<boolean | undefined> }>>;
}
type Same<A, B> = [A, B] extends [B, A] ? true : false;

test("arguments and outputs are compared by name, type and whether they are required", () => {
  const found: {
    readonly [Name in keyof Expected]: Same<Found[Name], Expected[Name]>;
  } = {
    none: true,
    forgotten: true,
    unknown: true,
    optional: true,
    required: true,
    type: true,
    fewerChoices: true,
    moreChoices: true,
    items: true,
    output: true,
    maybe: true,
  };
  expect(Object.values(found)).not.toContain(false);
});

interface Expected {
  readonly none: never;
  readonly forgotten: "watts";
  readonly unknown: "colour";
  readonly optional: "room";
  readonly required: "watts";
  readonly type: "watts";
  readonly fewerChoices: "mode";
  readonly moreChoices: "mode";
  readonly items: "tags";
  readonly output: "on";
  readonly maybe: "on";
}
