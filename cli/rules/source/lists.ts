import { ApiError, type Client, type RulesList } from "../../../provider/client/index.js";
import { listInputOf } from "../../../provider/lists/list-input.js";
import { mapFrom } from "../../../provider/model/json.js";
import { listUsesOf } from "../../../provider/validation/list-uses.js";
import type { ListInput, ListsInput, RulesetInput } from "../../../simulator/index.js";

/** The names of the lists that rules use, without those that Cloudflare maintains. */
export function listNamesIn(rulesets: readonly RulesetInput[]): readonly string[] {
  const uses = rulesets.flatMap(({ rules }) => rules.flatMap((rule) => listUsesOf(rule)));
  return Array.from(new Set(uses.map(({ name }) => name)));
}

/** The lists of an account with their items, each read once. */
export class AccountLists {
  private all: Promise<readonly RulesList[]> | undefined;
  private readonly inputs = new Map<string, Promise<ListInput>>();

  constructor(
    private readonly client: Client["lists"],
    private readonly accountId: string,
  ) {}

  /** The items of lists by name. Without the permission to read them, they are left out, and a note says so. */
  async read(names: readonly string[]): Promise<{ readonly lists: ListsInput; readonly note?: string }> {
    if (names.length === 0) return { lists: {} };
    try {
      this.all ??= this.client.list(this.accountId);
      const found = (await this.all).filter(({ name }) => names.includes(name));
      return {
        lists: mapFrom(await Promise.all(found.map(async (list) => [list.name, await this.input(list)] as const))),
      };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "API_FORBIDDEN") throw error;
      const [first = ""] = error.message.split("\n");
      const shown = names.map((name) => `$${name}`).join(", ");
      return {
        lists: {},
        note: `The items of ${shown} could not be read, so what depends on them is not known: ${first}`,
      };
    }
  }

  private input({ id, kind }: RulesList): Promise<ListInput> {
    const known = this.inputs.get(id) ?? this.readInput(id, kind);
    this.inputs.set(id, known);
    return known;
  }

  private async readInput(id: string, kind: RulesList["kind"]): Promise<ListInput> {
    const items = await this.client.items(this.accountId, id, kind);
    return listInputOf(kind, mapFrom(items.map(({ key, details }) => [key, details] as const)));
  }
}
