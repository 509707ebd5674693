import { isListKind } from "../../../core/lists/kind.js";
import { listResourceId } from "../../../core/model/ids.js";
import { slug } from "../../../core/rules/derive-ref.js";
import { literal, name, type Code, type Member } from "../code/code.js";
import type { Statement } from "../code/module.js";
import type { FoundList } from "../inventory.js";
import type { SelectedScope } from "./content.js";
import { writeItems } from "./lists.js";
import { member, scopeMember, type ProgramParts } from "./parts.js";
import { PACKAGE } from "./rule.js";

/** The lists of an account. */
export function declareLists(scope: SelectedScope, parts: ProgramParts): Statement[] {
  return scope.lists.map((list) => declareList(scope, list, parts));
}

function declareList(scope: SelectedScope, found: FoundList, parts: ProgramParts): Statement {
  const { id, name: listName, kind, description, shared = false, notes = [] } = found;
  const resource = parts.takeName(slug(listName) || "list", id ?? "");
  parts.declare("RulesList", resource, id === undefined ? undefined : listResourceId(scope.found.scope.id, id));
  const members = [
    scopeMember(scope),
    member("name", listName),
    { key: "kind", value: kindCode(kind) },
    ...(description === "" ? [] : [member("description", description)]),
    ...(shared ? [member("ownership", "shared")] : []),
    itemsMember(found, parts),
  ];
  const args: Code = { kind: "object", open: true, members };
  const callee = name("RulesList", PACKAGE);
  const value: Code = { kind: "call", isNew: true, callee, args: [literal(resource), args] };
  const comment = notes.length === 0 ? {} : { comment: notes.join(" ") };
  // Rules can be written once their list exists.
  const variable = parts.newList(listName);
  return variable === undefined
    ? { kind: "run", value, ...comment }
    : { kind: "const", name: variable, exported: false, value, ...comment };
}

/** The compiler refuses a kind that this version does not know, because it may be misspelled, unless it is an output. */
function kindCode(kind: string): Code {
  if (isListKind(kind)) return literal(kind);
  return { kind: "call", callee: name("pulumi.output", "@pulumi/pulumi"), args: [literal(kind)] };
}

/** The items of a list, or the file that they are written to. */
function itemsMember(found: FoundList, parts: ProgramParts): Member {
  const written = writeItems(found);
  if (written.kind === "inline") return { key: "items", value: written.value };
  return member("itemsFile", parts.addFile(found.name, found.id ?? "", written));
}
