import { createHash } from "node:crypto";
import { isObject, stableText, textOf, type JsonObject } from "../../../core/model/json.js";
import { phaseResourceId, rulesetResourceId } from "../../../core/model/ids.js";
import { managedName as nameOfManaged } from "../../../core/managed/rulesets.js";
import { PHASE_NAMES } from "../../../provider/validation/tables.js";
import { slug } from "../../../core/rules/derive-ref.js";
import { literal, name, type Code, type Member, type Name } from "../code/code.js";
import { compare, moduleText, type Statement } from "../code/module.js";
import { identifier, joinHyphen, joinWords, Names, phaseWords, shortId } from "../code/names.js";
import { rulesetLabel, scopeLabel, type Inventory, type LeftOut } from "../inventory.js";
import { declareHostnames, declareTotalTls } from "./certificates.js";
import { declareLists } from "./declare-lists.js";
import { quoted } from "../code/text.js";
import { IMPORTED_NAMES } from "./owasp-call.js";
import { member, scopeMember, type ProgramParts } from "./parts.js";
import { managedName, PACKAGE, ruleCode, type RuleContext } from "./rule.js";
import { referencesOf, sharedRules, selectContent, type SelectedRuleset, type SelectedScope } from "./content.js";
import type { SecretPart } from "./secrets.js";

/** A file of the generated program, by its path in the project. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** A value that must be set in the stack's configuration because it was not written to the program. */
interface NeededSecret {
  /** The configuration key. */
  readonly key: string;
  readonly where: string;
  readonly what: string;
}

/** A resource that the program declares. */
export interface DeclaredResource {
  /** Such as `PhaseEntrypoint`. */
  readonly type: string;
  readonly name: string;
  /** The ID of the resource; undefined for what does not exist yet. */
  readonly id: string | undefined;
}

/** The program, and what it does not contain. */
export interface GeneratedProgram {
  readonly files: readonly GeneratedFile[];
  readonly secrets: readonly NeededSecret[];
  readonly leftOut: readonly LeftOut[];
  /** What the program has as the service has it, unchecked, and why a preview would refuse it. */
  readonly unchecked: readonly LeftOut[];
  /** What the program declares. */
  readonly declared: readonly DeclaredResource[];
  /** IDs of those that are rulesets, if they have one. */
  readonly rulesetIds: readonly string[];
}

/** Generates a program that declares what was found. The same inventory produces the same text. */
export function generateProgram(inventory: Inventory): GeneratedProgram {
  const survey = selectContent(inventory);
  const writer = new ProgramWriter(survey.scopes, inventory);
  const rulesetIds = survey.scopes.flatMap(({ rulesets }) => rulesets.flatMap(({ found }) => found.id ?? []));
  const { leftOut, unchecked } = survey;
  return { ...writer.write(leftOut), leftOut, unchecked, rulesetIds };
}

/** The compiler refuses a phase that this version does not know, because it may be misspelled. */
function phaseCode(phase: string): Code {
  return PHASE_NAMES.includes(phase) ? literal(phase) : name(`${quoted(phase)} as string`);
}

/** Variables of every file, which no other variable may shadow. */
const LOCAL = ["zoneId", "accountId", "config", "pulumi", "hostnames", "hostname", "certificateAuthority"];
const SHARED_FILE = "./shared";

class ProgramWriter {
  private readonly variables = new Names([...LOCAL, ...IMPORTED_NAMES]);
  private readonly resourceNames = new Names();
  private readonly secrets = new Map<string, NeededSecret>();
  private readonly scopeSlugs = new Map<SelectedScope, string>();
  /** Variables of referenced rulesets, by ID, with the scope that declares them. */
  private readonly rulesets = new Map<string, { readonly variable: string; readonly scope: SelectedScope }>();
  /** Variables of lists that the program creates, by name. */
  private readonly newLists = new Map<string, { readonly variable: string; readonly scope: SelectedScope }>();
  private readonly resourceNameOf = new Map<SelectedRuleset, string>();
  private readonly shared = new Map<string, string>();
  private readonly sharedStatements: Statement[] = [];
  /** IDs of the rulesets that rules execute or skip. */
  private readonly referred: ReadonlySet<string>;
  private readonly usedAcross = new Set<string>();
  private readonly declared: DeclaredResource[] = [];
  /** Items of large lists. */
  private readonly itemFiles: GeneratedFile[] = [];
  private readonly itemFileNames = new Names();
  /** For what other files of this folder write. */
  private readonly parts: ProgramParts = {
    slug: (scope) => this.slug(scope),
    takeName: (wanted, id) => this.resourceNames.take(wanted, shortId(id), joinHyphen),
    declare: (type, resource, id) => {
      this.declare(type, resource, id);
    },
    newList: (list) => this.newLists.get(list)?.variable,
    addFile: (wanted, id, { extension, text }) => {
      const path = `${this.itemFileNames.take(wanted, shortId(id), joinHyphen)}.${extension}`;
      this.itemFiles.push({ path, text });
      return path;
    },
  };

  constructor(
    private readonly scopes: readonly SelectedScope[],
    private readonly inventory: Inventory,
  ) {
    this.referred = new Set(
      scopes.flatMap(({ rulesets }) => rulesets.flatMap(({ rules }) => rules.flatMap(referencesOf))),
    );
    const slugs = new Names(["index", "shared"]);
    for (const scope of scopes)
      this.scopeSlugs.set(scope, slugs.take(slugOf(scope), shortId(scope.found.scope.id), joinHyphen));
    this.nameResources();
    this.nameNewLists();
    this.nameShared();
  }

  write(leftOut: readonly LeftOut[]): Pick<GeneratedProgram, "files" | "secrets" | "declared"> {
    const bodies = this.scopes.map((scope) => ({ scope, body: this.scopeStatements(scope, leftOut) }));
    const files = this.isOneFile()
      ? bodies.map(({ body }) => ({ path: "index.ts", text: moduleText(this.exported(body)) }))
      : [
          {
            path: "index.ts",
            text: moduleText(
              [],
              bodies.map(({ scope }) => `./${this.slug(scope)}`),
            ),
          },
          ...(this.sharedStatements.length === 0
            ? []
            : [{ path: "shared.ts", text: moduleText(this.sharedStatements) }]),
          ...bodies.map(({ scope, body }) => ({
            path: `${this.slug(scope)}.ts`,
            text: moduleText(this.exported(body)),
          })),
        ];
    return {
      files: [...files, ...this.itemFiles],
      secrets: [...this.secrets.values()],
      declared: this.declared,
    };
  }

  private isOneFile(): boolean {
    return this.scopes.length === 1;
  }

  private slug(scope: SelectedScope): string {
    return this.scopeSlugs.get(scope) ?? "";
  }

  /** Names kept from another tool are assigned first, so that no other name takes them. */
  private nameResources(): void {
    const all = this.scopes.flatMap((scope) => scope.rulesets.map((ruleset) => ({ scope, ruleset })));
    const isKept = ({ ruleset }: (typeof all)[number]): boolean => ruleset.found.predecessor !== undefined;
    for (const { scope, ruleset } of [...all.filter(isKept), ...all.filter((one) => !isKept(one))]) {
      const { found } = ruleset;
      const entry = joinHyphen(this.slug(scope), phaseWords(found.phase));
      const wanted = found.predecessor?.name ?? (found.kind === "custom" ? slug(found.name) || "custom" : entry);
      this.resourceNameOf.set(ruleset, this.resourceNames.take(wanted, shortId(found.id ?? ""), joinHyphen));
      if (found.kind !== "custom" || found.id === undefined) continue;
      const variable = this.variables.take(identifier(found.name, "ruleset"), shortId(found.id), joinWords);
      this.rulesets.set(found.id, { variable, scope });
    }
  }

  private nameNewLists(): void {
    for (const scope of this.scopes) {
      for (const { id, name: list } of scope.lists) {
        if (id !== undefined) continue;
        this.newLists.set(list, { variable: this.variables.take(identifier(list, "list"), "", joinWords), scope });
      }
    }
  }

  private nameShared(): void {
    const rules = [...sharedRules(this.scopes)].map(([text, rule]) => ({ text, rule, wanted: sharedName(rule) }));
    for (const { text, rule, wanted } of rules.sort((a, b) => compare(a.wanted, b.wanted) || compare(a.text, b.text))) {
      const variable = this.variables.take(wanted, shortId(hashOf(text)), joinWords);
      this.shared.set(text, variable);
      const value = ruleCode(rule, this.contextOf(undefined, ""));
      // A call already determines the type.
      const type = value.kind === "call" ? undefined : { name: "Rule", from: PACKAGE, type: true };
      this.sharedStatements.push({ kind: "const", name: variable, type, exported: true, value });
    }
  }

  private scopeStatements(scope: SelectedScope, leftOut: readonly LeftOut[]): Statement[] {
    const { found } = scope;
    const label = scopeLabel(found);
    const used = new Set<string>();
    const lists = declareLists(scope, this.parts);
    const rulesets = scope.rulesets.map((ruleset) => this.ruleset(scope, ruleset, used));
    const rest = [declareHostnames, declareTotalTls].flatMap((declarePart) => declarePart(scope, this.parts));
    const notes = leftOut
      .filter(({ where }) => where === label)
      .map(({ what, reason }): Statement => ({
        kind: "note",
        text: `Left out: ${what}: ${reason.split("\n")[0] ?? ""}`,
      }));
    const own = found.scope.level === "zones" ? "zoneId" : "accountId";
    return [
      { kind: "const", name: own, exported: false, value: literal(found.scope.id), comment: label },
      ...this.configuration(used),
      ...lists,
      ...rulesets,
      ...rest,
      ...notes,
    ];
  }

  private configuration(used: ReadonlySet<string>): Statement[] {
    const needed = [...this.secrets.values()].filter(({ key }) => used.has(key));
    if (needed.length === 0) return [];
    const callee = name("pulumi.Config", "@pulumi/pulumi");
    return [
      { kind: "const", name: "config", exported: false, value: { kind: "call", callee, isNew: true, args: [] } },
      ...needed.map(({ key, what }): Statement => {
        const value: Code = { kind: "call", callee: name("config.requireSecret"), args: [literal(key)] };
        return {
          kind: "const",
          name: key,
          exported: false,
          value,
          comment: `A secret that is not in the source: ${what}`,
        };
      }),
    ];
  }

  private ruleset(scope: SelectedScope, ruleset: SelectedRuleset, used: Set<string>): Statement {
    const { found, rules } = ruleset;
    const isRuleset = found.kind === "custom" || found.predecessor !== undefined;
    const type = isRuleset ? "Ruleset" : "PhaseEntrypoint";
    const own = scope.found.scope;
    const rulesetId = found.id === undefined ? undefined : rulesetResourceId(own, found.id);
    this.declare(
      type,
      this.resourceNameOf.get(ruleset) ?? "",
      isRuleset ? rulesetId : phaseResourceId(own, found.phase),
    );
    const context = this.contextOf({ scope, ruleset, used }, rulesetLabel(found));
    const members = [
      scopeMember(scope),
      ...(isRuleset ? [member("kind", found.kind), member("name", found.name)] : []),
      { key: "phase", value: phaseCode(found.phase) },
      ...(!isRuleset && found.name !== "default" && found.name !== "" ? [member("name", found.name)] : []),
      ...(found.description === "" ? [] : [member("description", found.description)]),
      ...(found.kind === "custom" && found.id !== undefined && found.predecessor === undefined
        ? [member("rulesetId", found.id), member("onExisting", "fail")]
        : []),
      { key: "rules", value: { kind: "list", items: rules.map((rule) => this.rule(rule, context)) } as const },
    ];
    const value = this.resource(type, ruleset, members, scope);
    const comment = found.notes === undefined || found.notes.length === 0 ? {} : { comment: found.notes.join(" ") };
    const variable = found.id === undefined ? undefined : this.rulesets.get(found.id)?.variable;
    return variable !== undefined && this.referred.has(found.id ?? "")
      ? { kind: "const", name: variable, exported: false, value, ...comment }
      : { kind: "run", value, ...comment };
  }

  private resource(
    className: string,
    ruleset: SelectedRuleset,
    members: readonly Member[],
    scope: SelectedScope,
  ): Code {
    const { predecessor, newLists = [] } = ruleset.found;
    const lists = newLists.flatMap((list): Code[] => {
      const known = this.newLists.get(list);
      if (known === undefined) return [];
      if (known.scope === scope) return [name(known.variable)];
      this.usedAcross.add(known.variable);
      return [name(known.variable, `./${this.slug(known.scope)}`)];
    });
    const after: Code = {
      kind: "object",
      members: [{ key: "dependsOn", value: { kind: "list", items: lists } }],
    };
    const alias: Code = {
      kind: "object",
      members: [
        {
          key: "aliases",
          value: { kind: "list", items: [{ kind: "object", members: [member("type", predecessor?.type ?? "")] }] },
        },
      ],
    };
    return {
      kind: "call",
      isNew: true,
      callee: name(className, PACKAGE),
      args: [
        literal(this.resourceNameOf.get(ruleset) ?? ""),
        { kind: "object", open: true, members },
        ...(predecessor === undefined ? (lists.length === 0 ? [] : [after]) : [alias]),
      ],
    };
  }

  private rule(rule: JsonObject, context: RuleContext): Code {
    const variable = this.shared.get(stableText(rule));
    if (variable === undefined) return ruleCode(rule, context);
    return { kind: "name", text: variable, imports: { name: variable, from: SHARED_FILE } };
  }

  private contextOf(
    at: { readonly scope: SelectedScope; readonly ruleset: SelectedRuleset; readonly used: Set<string> } | undefined,
    label: string,
  ): RuleContext {
    return {
      rulesetName: (id) => this.inventory.knownNames?.get(id),
      managedRuleName: (id) => this.inventory.managedNames?.(id) ?? nameOfManaged(id),
      rulesetVariable: (id) => {
        const target = this.rulesets.get(id);
        if (target === undefined || at === undefined || !this.isDeclaredBefore(id, at)) return undefined;
        if (target.scope === at.scope) return name(`${target.variable}.rulesetId`);
        this.usedAcross.add(target.variable);
        return name(`${target.variable}.rulesetId`, `./${this.slug(target.scope)}`);
      },
      secretVariable: (part) => this.secret(part, at, label),
      // The value is not known, so each one gets its own secret.
      unknownVariable: (path) => {
        const last = String(path.at(-1) ?? "secret");
        // Not the name of the tag.
        const fieldName = last === "expression" ? "secret expression" : last;
        return this.secret({ value: `\0${String(this.secrets.size)}`, fieldName }, at, label);
      },
    };
  }

  /** Two rulesets that execute each other cannot both refer to the other's variable. */
  private isDeclaredBefore(
    id: string,
    at: { readonly scope: SelectedScope; readonly ruleset: SelectedRuleset },
  ): boolean {
    const target = this.rulesets.get(id);
    if (target === undefined || target.scope !== at.scope) return target !== undefined;
    const order = at.scope.rulesets;
    return order.findIndex(({ found }) => found.id === id) < order.indexOf(at.ruleset);
  }

  /** The same value has the same key wherever it occurs. */
  private secret(
    { value, fieldName, hint }: SecretPart,
    at: { readonly scope: SelectedScope; readonly used: Set<string> } | undefined,
    label: string,
  ): Name {
    const known = this.secrets.get(value);
    const owner = at === undefined ? "" : identifier(this.slug(at.scope), "zone");
    const needed = known ?? {
      key: this.variables.take(identifier(fieldName, "secret"), owner, joinWords),
      where: at === undefined ? "" : scopeLabel(at.scope.found),
      what: `${fieldName}${hint === undefined ? "" : ` (${hint})`} in ${label}`,
    };
    this.secrets.set(value, needed);
    at?.used.add(needed.key);
    return name(needed.key);
  }

  private declare(type: string, resource: string, id: string | undefined): void {
    this.declared.push({ type, name: resource, id });
  }

  /** Exports what another file imports, which is known once every file is written. */
  private exported(statements: readonly Statement[]): Statement[] {
    return statements.map((one) =>
      one.kind === "const" && this.usedAcross.has(one.name) ? { ...one, exported: true } : one,
    );
  }
}

function slugOf({ found }: SelectedScope): string {
  const { level, id } = found.scope;
  const words = slug(found.name);
  if (level === "zones") return found.name === id || words === "" ? `zone-${id.slice(0, 8)}` : words;
  return found.name === id || words === "" ? `account-${id.slice(0, 8)}` : `account-${words}`;
}

/** The name of a shared rule's constant: from its description, otherwise from what it does. */
function sharedName(rule: JsonObject): string {
  const { description, action, actionParameters } = rule;
  if (typeof description === "string" && slug(description) !== "") return identifier(description, "rule");
  const id = isObject(actionParameters) ? actionParameters.id : undefined;
  const managed = typeof id === "string" ? managedName(id)?.text.split(".")[1] : undefined;
  return managed === undefined ? joinWords(identifier(textOf(action), "rule"), "rule") : joinWords("run", managed);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
