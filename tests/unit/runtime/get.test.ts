import { readFor } from "../../../provider/border/get.js";

const ID = "0123456789abcdef0123456789abcdef";
const read = (id: string, asked?: string): Promise<unknown> => readFor(asked, id, () => Promise.resolve(id));

describe("the ID passed to get", () => {
  test.each([
    [`zones/${ID.toUpperCase()}/phases/http_ratelimit`, `zoneId: IDs are in lower case; write "${ID}"`],
    [
      `accounts/${ID.slice(1)}/rulesets/${ID}`,
      "accountId: must be an ID of 32 hexadecimal digits; this has 31 characters",
    ],
    [`zones/${ID}/rulesets/${ID.toUpperCase()}`, `rulesetId: IDs are in lower case; write "${ID}"`],
    [ID.toUpperCase(), `rulesetId: IDs are in lower case; write "${ID}"`],
    [`zones/${ID}x/waf-migration`, "zoneId: must be an ID of 32 hexadecimal digits; this has 33 characters"],
    [`zones/${ID}/custom-hostnames/${ID.toUpperCase()}/certificate`, `write "${ID}"`],
  ])("%s is refused before any request, with the right one where only the case is wrong", async (id, text) => {
    await expect(read(id, "PhaseEntrypoint mine")).rejects.toMatchObject({
      code: "ARGUMENTS_INVALID",
      message: expect.stringContaining(`PhaseEntrypoint mine: ${id} is not a valid ID: `) as string,
    });
    await expect(read(id, "PhaseEntrypoint mine")).rejects.toThrow(text);
  });

  test.each([`zones/${ID}/phases/http_ratelimit`, `accounts/${ID}/rulesets/${ID}`, ID, "nonsense", "zones/x"])(
    "%s is validated by its kind of resource",
    async (id) => {
      expect(await read(id, "PhaseEntrypoint mine")).toBe(id);
    },
  );

  test("is not checked by a refresh, because the state contains it", async () => {
    expect(await read(`zones/${ID.toUpperCase()}/total-tls`)).toBe(`zones/${ID.toUpperCase()}/total-tls`);
  });
});
