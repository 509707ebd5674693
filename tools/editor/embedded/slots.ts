import type { CheckOptions } from "../../../core/language/index.js";

/** What is expected of the expression that is a member, by the names of the members on the way to it, in either spelling. */
export function optionsAt(names: readonly string[]): CheckOptions | undefined {
  const [name = "", parent = "", grandparent = ""] = names.toReversed().map(plain);
  switch (name) {
    case "countingexpression":
      return { slot: "counting" };
    case "usernameexpression":
    case "passwordexpression":
      return TEXT;
    case "key":
      return parent === "fromlist" ? TEXT : undefined;
    case "expression":
      if (["path", "query", "targeturl"].includes(parent)) return TEXT;
      if (grandparent === "headers") return { slot: "value", type: "Scalar" };
      return parent === "actionparameters" ? { slot: "value", type: "Array<String>" } : { slot: "filter" };
    default:
      return undefined;
  }
}

const TEXT: CheckOptions = { slot: "value", type: "String" };

function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
