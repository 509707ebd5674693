import type { Open } from "../../../../analysis/index.js";
import type { Plan } from "../../../../language/index.js";
import type { JudgedZone } from "../../../../invariants/judge.js";
import plans from "../../../../schema/plans.json";
import type { Zone } from "../../../client/index.js";
import type { NewZone } from "../../../engine/new-zones.js";
import { Responses, WHOLE_RUN } from "../../../engine/reads/responses.js";
import type { Session } from "../../../engine/session.js";
import { isInaccessible } from "../../../model/errors.js";
import { isDeclarable, type Scope } from "../../../model/ids.js";
import { requireVisible, type Ruleset } from "../../../model/ruleset.js";
import { nameIn } from "../../../model/urn.js";
import { rulesetInput } from "../../../rules/without-server-fields.js";

/** A zone by its ID, or one that the program creates. */
export type ZoneId = string | NewZone;

/** A zone as it is at the service. */
export interface DeployedZone extends JudgedZone {
  /** Empty if it is not known. */
  readonly accountId: string;
}

/**
 * What runs in zones at the service. Lists are read once in a run, and know what the run writes; a ruleset is read once in each
 * version.
 */
export class DeployedZones {
  private readonly rulesets = new Responses<Ruleset | undefined>(WHOLE_RUN);
  private only: Promise<string> | undefined;

  constructor(private readonly session: Session) {}

  read(id: ZoneId): Promise<DeployedZone> {
    return typeof id === "string" ? this.readExisting(id) : this.readNew(id);
  }

  private async readExisting(id: string): Promise<DeployedZone> {
    const zone = await this.session.zones.find(id);
    const accountId = zone?.accountId ?? "";
    const [own, account] = await Promise.all([
      this.rulesetsIn({ level: "zones", id }),
      accountId === "" ? NO_ACCOUNT : this.readAccount(accountId),
    ]);
    const shared = ofAccount(account, accountId);
    const known = new Set(shared.rulesets.map((one) => one.id));
    return {
      label: zone?.name ?? `zone ${id}`,
      zone: { id, name: zone?.name, plan: planOf(zone) },
      ...shared,
      rulesets: [
        ...shared.rulesets,
        ...own.filter((one) => !known.has(one.id)).map((one) => ({ ...rulesetInput(one), zoneId: id })),
      ],
    };
  }

  /** A zone that does not exist yet has no rules but those of its account. */
  private async readNew({ urn, name, accountId: given }: NewZone): Promise<DeployedZone> {
    const accountId = given ?? (await this.onlyAccount());
    const account = accountId === "" ? NO_NEW_ACCOUNT : await this.readAccount(accountId);
    return {
      label: `the new zone ${name ?? nameIn(urn)}`,
      zone: { name },
      ...ofAccount(account, accountId),
    };
  }

  /** The account of every zone that the credentials can see; empty if there are several, or none. */
  private onlyAccount(): Promise<string> {
    return (this.only ??= this.readOnlyAccount());
  }

  private async readOnlyAccount(): Promise<string> {
    const found = new Set<string>();
    for await (const page of this.session.client.zones.pages()) {
      for (const { accountId } of page) found.add(accountId);
      if (found.size > 1) return "";
    }
    const [only = ""] = found;
    return only;
  }

  private async readAccount(id: string): Promise<readonly Ruleset[] | Open> {
    try {
      return await this.rulesetsIn({ level: "accounts", id });
    } catch (error) {
      if (!isInaccessible(error)) throw error;
      const decidedBy = "a token that may read them";
      return { why: `the rulesets of the account ${id} could not be read`, decidedBy };
    }
  }

  /** Entry points and custom rulesets. A zone lists those of its account as well. */
  private async rulesetsIn(scope: Scope): Promise<readonly Ruleset[]> {
    const { reads } = this.session;
    const list = requireVisible(await reads.listOfRun(scope), scope);
    const own = list.filter((ruleset) => isDeclarable(ruleset, scope));
    const found = await Promise.all(
      own.map(({ id, version }) => this.rulesets.read(`${id} ${version}`, () => reads.byId(scope, id))),
    );
    return found.flatMap((one) => one ?? []);
  }
}

const PLANS = plans.plans as readonly Plan[];

export function planOf(zone: Pick<Zone, "plan"> | undefined): Plan | undefined {
  return PLANS.find((one) => one === zone?.plan);
}

/** What runs in a zone by the rulesets of its account. */
function ofAccount(
  account: readonly Ruleset[] | Open,
  accountId: string,
): Pick<DeployedZone, "rulesets" | "open" | "accountId"> {
  if ("why" in account) return { rulesets: [], open: [account], accountId };
  return { rulesets: account.map((one) => ({ ...rulesetInput(one), accountId })), open: [], accountId };
}

const WHY = "the account of the zone is not known, and neither are its rulesets";
const NO_ACCOUNT: Open = { why: WHY, decidedBy: "a token that may read the zone" };
const NO_NEW_ACCOUNT: Open = { why: WHY, decidedBy: "`pulumi up`, once the zone exists" };
