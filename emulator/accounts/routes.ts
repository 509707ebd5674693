import { bodyCheck, nonEmpty, object } from "../body.js";
import { bodyOf, Paged, type ApiResult, type Call } from "../call.js";
import { refuse } from "../failure.js";
import type { GroupDefinition } from "../group-definition.js";
import { selectItems, withOperator } from "../lists.js";
import { pageOf } from "../pages.js";
import type { Account } from "../zones/model.js";
import { accountsOf, accountsSeed, type AccountsSeed } from "./seed.js";

const ACCOUNT = "/accounts/:owner";
const CREATED = "2026-01-01T00:00:00.000000Z";

const checkAccount = bodyCheck(object({ name: { ...nonEmpty, maxLength: 100 }, settings: object({}) }, ["name"]), [
  ["", 1000],
]);

/** Accounts, and verification of the request's token. */
export const accounts: GroupDefinition<AccountsSeed> = {
  seed: accountsSeed,
  build: ({ store }) => {
    const find = ({ owner }: Call): Account => {
      const found = store.accounts.get("", owner.id);
      if (found === undefined) throw refuse(404, 1001, `account ${owner.id} not found`);
      return found;
    };
    return {
      codes: { other: 1000 },
      routes: [
        [
          "GET",
          "/accounts",
          ({ query }) => {
            const found = selectItems(store.accounts.in(""), query, { name: withOperator(({ name }) => name) });
            const { result, info } = pageOf(found, query, { most: 50 });
            return Paged.of({ result: result.map(accountAnswer), info });
          },
        ],
        ["GET", ACCOUNT, (call) => accountAnswer(find(call))],
        [
          "PUT",
          ACCOUNT,
          (call) => {
            const { name, settings } = checkAccount(bodyOf(call)) as { name: string; settings?: Account["settings"] };
            const account = { ...find(call), name, ...(settings === undefined ? {} : { settings }) };
            store.accounts.put("", account.id, account);
            return accountAnswer(account);
          },
        ],
        ["GET", "/user/tokens/verify", verifyToken],
        ["GET", `${ACCOUNT}/tokens/verify`, verifyToken],
      ],
      addSeed: (seed) => {
        for (const account of accountsOf(seed)) store.accounts.put("", account.id, account);
      },
    };
  },
};

function accountAnswer({ id, name, settings = {} }: Account): ApiResult {
  return { id, name, type: "standard", created_on: CREATED, settings: { enforce_twofactor: false, ...settings } };
}

/** Verifies the token of the request. An API key is not a token. */
function verifyToken({ tokenId }: Call): ApiResult {
  if (tokenId === undefined) throw refuse(401, 1000, "Invalid API Token");
  return { id: tokenId, status: "active" };
}
