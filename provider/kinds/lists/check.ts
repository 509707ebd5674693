import { bothUrns, checkClaim } from "../../engine/claims.js";
import type { Checked, CheckRequest } from "../../engine/kind.js";
import type { PlannedRequest } from "../../engine/preview-plan.js";
import { planUp } from "../../engine/published-plans.js";
import { reportFindings, unavailableCheck, type Request } from "../../engine/request.js";
import { redactFindings } from "../../engine/secrets.js";
import type { Session } from "../../engine/session.js";
import { compareItems, isNoChange, type ItemChange } from "../../../core/lists/change.js";
import { findUnfollowedRedirects, parseItem, type Items } from "../../../core/lists/item.js";
import { LIST_KINDS } from "../../../core/lists/kind.js";
import type { WrittenItem } from "../../../core/lists/parse.js";
import { crowdedSources, MOST_SOURCES } from "../../../core/lists/quota.js";
import { RulesetsError } from "../../../core/model/errors.js";
import { isList, pick, type Json } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { isKnown, isUnknown, NOT_KNOWN, valueIfKnown, type Pending } from "../../../core/model/unknown.js";
import { plural } from "../../../core/model/words.js";
import {
  checkKnownValue,
  failure,
  findingText,
  hasErrors,
  warning,
  withCode,
  type Findings,
} from "../../validation/index.js";
import type { GivenListArguments, ListInputs, ListState, RULES_LIST } from "./description.js";
import { declareWhole, itemsAfter } from "./declared.js";
import { knownItems, readItems } from "./given-items.js";
import { plannedCreate, plannedDescription, plannedItems } from "./planned.js";
import { checkQuota } from "./quota.js";
import { reachOf } from "./reach.js";
import { listsOfRun } from "./run.js";
import { isOwnedAfter, itemsIn, planTakeover, type Takeover } from "./takeover.js";
import { countsText, redescribes, takeoverLines } from "./words.js";

type ListRequest = CheckRequest<typeof RULES_LIST>;

/** Checks the arguments, and that no other resource manages the same list, without a request. */
export function validate(request: Request<GivenListArguments>): Findings {
  const { session, args, urn } = request;
  const { accountId, name } = args;
  const claimed =
    typeof accountId === "string" && typeof name === "string" && !isUnknown(accountId) && !isUnknown(name)
      ? checkClaim(session, urn, {
          keys: claimKeys(accountId, name, args.kind),
          refusal: (other) => `two resources manage the list ${name}: ${bothUrns(urn, other)}. Keep one`,
        })
      : [];
  declareList(request);
  return [
    redactFindings(
      [checkItems(args), request.keptInputs.includes("items") ? [] : refuseSecretValues(request.secretPaths)].flat(),
      request,
    ),
    claimed,
  ].flat();
}

/** Lets the rules of this run know the list. */
function declareList({ session, urn, args: { accountId, name, kind } }: Request<GivenListArguments>): void {
  if (typeof accountId !== "string" || typeof name !== "string" || typeof kind !== "string" || isUnknown(name)) return;
  listsOfRun(session).declare({ urn, accountId, name, kind });
}

/**
 * The keys of a list among the claims of a run: names are unique in an account. The last one tells lists of one name and
 * different kinds apart, of which one replaces the other.
 */
export function claimKeys(accountId: string, name: string, kind: unknown): [name: string, withKind: string] {
  const key = `accounts/${accountId}/lists/${name}`;
  return [key, `${key} of the kind ${typeof kind === "string" ? kind : ""}`];
}

function checkItems({ kind, items, itemsFile }: GivenListArguments): Findings {
  if (typeof kind !== "string" || isUnknown(kind)) return [];
  const newer = checkKnownValue(["kind"], "the kind", kind, LIST_KINDS);
  const parsed = hasErrors(newer) ? NOT_KNOWN : readItems(kind, items, itemsFile);
  if (parsed === NOT_KNOWN) return newer;
  const redirects = kind === "redirect" ? parsed.items : {};
  const path = [typeof itemsFile === "string" ? "itemsFile" : "items"];
  const dead = findUnfollowedRedirects(redirects).flatMap(([source, scheme]) =>
    warning(path, `${source}: the target begins with ${scheme}, and browsers do not follow such redirects`),
  );
  const unchecked = parsed.unchecked
    .slice(0, MOST_WARNINGS)
    .flatMap((item) => withCode("unchecked", warning(item.path, uncheckedText(item))));
  return [...newer, ...mostOf(parsed.faults), ...dead.slice(0, MOST_WARNINGS), ...unchecked];
}

function uncheckedText({ place }: WrittenItem): string {
  return `${place === undefined ? "" : `${place}: `}has wire, so it is sent as it is, and not checked`;
}

const MOST_WARNINGS = 5;
const MOST_FAULTS = 20;

/** The first mistakes, and how many more there are: a file of another kind has one on each of its thousands of lines. */
function mostOf(faults: Findings): Findings {
  const [first, more] = [faults.slice(0, MOST_FAULTS), faults.slice(MOST_FAULTS)];
  const [next] = more;
  if (next === undefined) return first;
  return [...first, ...failure(next.path.slice(0, 1), `has ${plural(more.length, "more mistake")}`)];
}

/** Of an item, only the comment can be hidden: its value is its key in the state and in messages. */
function refuseSecretValues(paths: readonly Path[]): Findings {
  const found = paths.find(([name, , field]) => name === "items" && field !== "comment");
  if (found === undefined) return [];
  return failure(
    found,
    "is a secret, but of an item only the comment can be one: Pulumi stores and shows the rest in plain text. If it does not need to " +
      "be hidden, use pulumi.unsecret(…)",
  );
}

/** For a list that is new to the resource, reports what it finds; otherwise, which items change. */
export async function check(request: ListRequest): Promise<Checked<typeof RULES_LIST>> {
  const { session, wanted, urn, olds, keptInputs } = request;
  const { items: given, itemsFile, ...rest } = wanted;
  const items =
    (keptInputs.includes("items") ? olds?.items : undefined) ??
    knownItems(wanted.kind, given as Json | undefined, itemsFile as Json | undefined);
  const secret = secretComments(request);
  const inputs: Pending<ListInputs> = {
    ...{ ...rest, items },
    ...(secret.length === 0 ? {} : { __secretComments: secret }),
    ...(urn === "" ? {} : { __urn: urn }),
  };
  declareItems({ ...request, ...pick(wanted, ["accountId", "name", "kind", "ownership"]), items });
  const { recorded } = listsOfRun(session);
  if (olds !== undefined && isKnown(olds) && !recorded.has(urn)) recorded.set(urn, pick(olds, ["accountId", "name"]));
  const isSame = olds?.accountId === wanted.accountId && olds.name === wanted.name && olds.kind === wanted.kind;
  const misnamed = isSame ? [] : await checkName(request);
  const findings =
    isSame || hasErrors(misnamed) || !isKnown<ListInputs>(inputs) ? [] : await checkTakeover(request, inputs);
  return { inputs, findings: [misnamed, findings, checkSources(request, items)].flat() };
}

const NAME = /^[a-zA-Z0-9_]{1,50}$/;

/** A name that no new list can have is no mistake where the service has the list. */
async function checkName({ session, preview, wanted: { accountId, name } }: ListRequest): Promise<Findings> {
  if (name === NOT_KNOWN || NAME.test(name)) return [];
  const isRead = accountId !== NOT_KNOWN && !(preview && session.previewChecks === "off");
  try {
    if (isRead && (await session.lists.of(accountId)).some((one) => one.name === name)) return [];
  } catch (error) {
    if (!(error instanceof RulesetsError)) throw error;
  }
  return failure(["name"], "must have 1 to 50 letters, digits and underscores");
}

/** The keys of items whose comments are secrets, in an order that does not depend on the program's. */
function secretComments({ wanted: { kind, items }, secretPaths, keptInputs, olds }: ListRequest): readonly string[] {
  if (keptInputs.includes("items")) return valueIfKnown(olds?.__secretComments) ?? [];
  const given = items as Json | undefined;
  if (!isList(given) || kind === NOT_KNOWN) return [];
  const keys = secretPaths.flatMap(([name, index]) => {
    const item = name === "items" ? parseItem(kind, given[Number(index)]) : undefined;
    return item?.kind === "item" ? [item.key] : [];
  });
  return [...new Set(keys)].sort();
}

/** Refuses more redirects from one host and path, in the lists of the program together, than an account can have. */
function checkSources({ session, urn, wanted }: ListRequest, items: Items | typeof NOT_KNOWN): Findings {
  const { kind, accountId, name } = wanted;
  if (kind !== "redirect" || items === NOT_KNOWN) return [];
  const others =
    accountId === NOT_KNOWN
      ? []
      : listsOfRun(session)
          .in(accountId)
          .filter((list) => list.urn !== urn);
  const redirects = others.filter((list) => list.kind === "redirect");
  const [first] = crowdedSources([...redirects.map((list) => list.items ?? {}), items]);
  if (first === undefined) return [];
  const [place, count] = first;
  return failure(
    ["items"],
    `with the list ${String(name)}, the lists of the program would have ${String(count)} sources with the hostname and path ${place}, ` +
      `and an account can have ${String(MOST_SOURCES)} in all of its lists. To continue: remove some of them, such as those in lists ` +
      "that no rule uses",
  );
}

/** A list that a call of the engine is about. */
type EditedList = Pick<ListRequest, "session" | "urn" | "preview"> &
  Pick<ListRequest["wanted"], "accountId" | "name" | "kind" | "ownership"> & {
    readonly olds: Pending<ListInputs> | undefined;
    readonly items: Items | typeof NOT_KNOWN;
  };

/** Lets the rules of this run know the items: of a shared list, those that it gets and loses. */
function declareItems({ session, urn, preview, accountId, name, kind, ownership, olds, items }: EditedList): void {
  if (items === NOT_KNOWN || kind === NOT_KNOWN || ownership === NOT_KNOWN || !isKnown({ accountId, name })) return;
  const list = { urn, accountId: String(accountId), name: String(name), kind, items, preview };
  const own = olds?.kind === kind && olds.name === name ? valueIfKnown(olds.items) : undefined;
  const all = own === undefined ? undefined : reachOf(olds ?? {}).all(own);
  reachOf({ ownership }).declare(session, list, { own, all });
}

/**
 * What follows from an edit for the rules of this run, and what its preview says. Values of many items before are in the state, which a
 * check does not get.
 */
export async function reportEdit(
  { session, preview }: Pick<ListRequest, "session" | "preview">,
  olds: ListState,
  news: Pending<ListInputs>,
): Promise<void> {
  if (!isKnown<ListInputs>(news)) return;
  const { __urn: urn = "", items } = news;
  const before = { ...olds.items, ...olds.foreignItems };
  declareItems({ ...news, session, urn, olds: { ...olds, items: before }, preview });
  if (!preview) return;
  const change = compareItems(before, items);
  if (isNoChange(change)) return;
  planUp(session, urn, { counts: countsText(items, change) });
  if (change.added.length <= change.removed.length) return;
  const found = await checkGrowth(session, news, change);
  const { failures } = reportFindings({ session, urn }, {}, found);
  // Of an edit, only an error stops a preview.
  if (failures.length > 0)
    throw new RulesetsError(failures.map(findingText).join("\n"), { code: "LIST_QUOTA_EXCEEDED" });
}

/** What an edit adds to the account's quotas. */
async function checkGrowth(session: Session, news: ListInputs, change: ItemChange): Promise<Findings> {
  if (session.previewChecks === "off") return [];
  try {
    const list = (await session.lists.of(news.accountId)).find(({ name }) => name === news.name);
    const size = reachOf(news).sizeAfter(news.items, list?.size ?? 0, change);
    return await checkQuota(session, { ...news, size });
  } catch (error) {
    if (error instanceof RulesetsError) return [];
    throw error;
  }
}

function plannedTakeover(inputs: ListInputs, { list, now, result }: Takeover): readonly PlannedRequest[] {
  const address = { accountId: inputs.accountId, listId: list.id };
  const described = redescribes(inputs, list) ? [plannedDescription(address)] : [];
  return [...described, ...plannedItems(address, now, result, reachOf(inputs).mayReplace)];
}

/** As for rulesets: a list that is merely equal may be somebody else's. */
const LEFT_BY_DELETE = '  A delete leaves it in place until this stack has changed it or sets onExisting: "adopt".';

/** Reports what is taken over. Returns a failure for a list that is not, or if an answer is required and there is none. */
async function checkTakeover(request: ListRequest, inputs: ListInputs): Promise<Findings> {
  const { session, urn, preview } = request;
  if (preview && session.previewChecks === "off") return [];
  try {
    const plan = await planTakeover(session, inputs);
    if (plan === undefined) {
      planUp(session, urn, {
        counts: countsText(inputs.items, compareItems({}, inputs.items)),
        writes: [plannedCreate(inputs), ...plannedItems(inputs, {}, inputs.items, true)],
      });
      return preview ? await checkQuota(session, { ...inputs, size: Object.keys(inputs.items).length }) : [];
    }
    if (plan.refusal !== undefined) return failure([], plan.refusal.message);
    const change = compareItems(plan.now, plan.result);
    const all = itemsIn(plan.stored);
    declareWhole(session, { ...inputs, urn, preview }, all, itemsAfter(all, plan.now, plan.result));
    const others = reachOf(inputs).ownersText(plan.result, all);
    const description = redescribes(inputs, plan.list) ? "; its description changes" : "";
    const more = isOwnedAfter(plan, inputs) ? takeoverLines(plan.shown, plan.result, change) : [LEFT_BY_DELETE];
    session.reporter.info(
      urn,
      [`takes over the existing list ${inputs.name}${description}`, ...more, ...others.map((line) => `  ${line}`)].join(
        "\n",
      ),
    );
    planUp(session, urn, { counts: countsText(plan.result, change), writes: plannedTakeover(inputs, plan) });
    const size = plan.list.size + Object.keys(plan.result).length - Object.keys(plan.now).length;
    return preview ? await checkQuota(session, { ...inputs, size }) : [];
  } catch (error) {
    return unavailableCheck(request, error, `whether the list ${inputs.name} exists`);
  }
}
