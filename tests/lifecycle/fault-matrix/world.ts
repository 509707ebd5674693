import type { Service, WireRule, WireRuleset } from "../../support/emulator.js";
import { phase } from "../declared-rules.js";

type Rule = WireRule & { readonly id: string; readonly ref: string };

/** What a rule does, as far as somebody can change it. */
const saysOf = ({ action, expression, enabled }: WireRule): string => JSON.stringify([action, expression, enabled]);

/** The ruleset of a case, and what others have done to it. */
export class World {
  /** By ID, what the rules of others say, in their order. */
  private theirs: readonly (readonly [id: string, says: string])[] = [];
  /** What somebody did to rules of the stack. */
  readonly touched: ("edited" | "deleted" | "moved")[] = [];
  /** Refs of the stack that somebody wrote as well, with an outdated copy of the whole ruleset. */
  rewritten: readonly string[] = [];
  /** The ruleset before the run. */
  private before: WireRuleset | undefined;

  constructor(
    readonly service: Service,
    readonly zoneId: string,
  ) {}

  private get scope(): string {
    return `zones/${this.zoneId}`;
  }

  async begin(isShared: boolean): Promise<void> {
    if (!isShared) return;
    const rules = ["f1", "f2"].map((ref) => ({ ref, action: "log", expression: `http.host eq "${ref}"` }));
    await this.service.create(this.scope, { name: "default", kind: "zone", phase, rules });
    await this.learn();
  }

  /** Remembers the ruleset, as somebody with a copy of it does. */
  async copy(): Promise<void> {
    this.before = await this.ruleset();
  }

  /** The ruleset that the stack writes: the custom one, or the entry point. */
  async ruleset(): Promise<WireRuleset | undefined> {
    const custom = (await this.customs())[0];
    if (custom !== undefined) return this.service.ruleset(this.scope, custom.id);
    return this.service.entrypoint(this.zoneId, phase);
  }
  async customs(): Promise<readonly WireRuleset[]> {
    return (await this.service.list(this.scope)).filter(({ kind }) => kind === "custom");
  }
  async rules(): Promise<readonly Rule[]> {
    return (await this.ruleset())?.rules ?? [];
  }
  /** The rules of the stack. */
  async own(): Promise<readonly Rule[]> {
    return (await this.rules()).filter(({ ref }) => /^[kn]/.test(ref));
  }
  private async learn(): Promise<void> {
    const rules = (await this.rules()).filter(({ ref }) => ref.startsWith("f"));
    this.theirs = rules.map((rule) => [rule.id, saysOf(rule)]);
  }

  /** Whether no rule of others was lost, changed, or moved among those of others. */
  async isTheirsKept(): Promise<boolean> {
    const rules = new Map((await this.rules()).map((rule) => [rule.id, saysOf(rule)]));
    const ids = this.theirs.map(([id]) => id);
    const order = [...rules.keys()].filter((id) => ids.includes(id));
    return this.theirs.every(([id, says]) => rules.get(id) === says) && order.join() === ids.join();
  }

  async interfere(kind: Interference): Promise<void> {
    const { service, scope } = this;
    const ruleset = await this.ruleset();
    if (ruleset === undefined) return;
    const own = await this.own();
    const [first, last] = [own[0], own.at(-1)];
    const path = (rule: Rule): string => `/${scope}/rulesets/${ruleset.id}/rules/${rule.id}`;
    switch (kind) {
      case "nothing":
        return;
      case "adds a rule":
        await service.addRule(scope, ruleset.id, { ...FOREIGN, position: { before: "" } });
        break;
      case "edits the first rule":
      case "edits the last rule": {
        const rule = kind === "edits the first rule" ? first : last;
        if (rule === undefined) return;
        await service.editRule(scope, ruleset.id, rule.id, { ...EDIT, ref: rule.ref });
        this.touched.push("edited");
        break;
      }
      case "deletes the first rule":
      case "deletes the last rule": {
        const rule = kind === "deletes the first rule" ? first : last;
        if (rule === undefined) return;
        await service.deleteRule(scope, ruleset.id, rule.id);
        this.touched.push("deleted");
        break;
      }
      case "moves the last rule":
        if (last === undefined || own.length < 2) return;
        await service.ask("PATCH", path(last), { position: { before: "" } });
        this.touched.push("moved");
        break;
      case "writes an outdated copy":
        if (this.before === undefined) return;
        await service.replace(scope, ruleset.id, { rules: this.before.rules.map(asWritten) });
        this.rewritten = this.before.rules.map(({ ref }) => ref);
    }
    await this.learn();
  }
}

const FOREIGN = { ref: "f0", action: "log", expression: "ip.src eq 203.0.113.9" };
const EDIT = { action: "managed_challenge", expression: "ip.src eq 203.0.113.8" };

function asWritten({ version: _version, last_updated: _updated, ...rule }: Rule): object {
  return rule;
}

/** What somebody does right before a write of the run. */
export const INTERFERENCES = [
  "nothing",
  "adds a rule",
  "edits the first rule",
  "edits the last rule",
  "deletes the first rule",
  "deletes the last rule",
  "moves the last rule",
  "writes an outdated copy",
] as const;
export type Interference = (typeof INTERFERENCES)[number];
