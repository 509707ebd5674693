import { failureOf } from "../support/failure.js";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ListState } from "../../provider/kinds/lists/description.js";
import { KINDS } from "../../provider/kinds/index.js";
import { UNKNOWN } from "../../core/model/unknown.js";
import type { Service } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { startService } from "./harness.js";
import { ManagedResource } from "./managed.js";
import { clear, secret } from "./secrets-apart.js";
import { temporaryFolder } from "../support/temporary-folder.js";

let service: Service;
let accountId: string;
let list: ManagedResource<ListState>;
beforeEach(async () => {
  ({ service, accountId } = await startService());
  list = new ManagedResource<ListState>("RulesList", service);
});

const root = (): string => `/accounts/${accountId}/rules/lists`;
const office = (items: readonly unknown[], more: object = {}) => ({
  ...{ accountId, name: "office", kind: "ip", items },
  ...more,
});
const refused = (args: object): Promise<string> => failureOf(list.preview(args));
const answer = (result: unknown) => ({ success: true, errors: [], messages: [], result });
const redirects = (...items: unknown[]) => ({ accountId, name: "moves", kind: "redirect", items });
const numbers = () => ({ accountId, name: "office", kind: "asn", items: [64496] });
const stateOf = (): ListState => list.kept?.state ?? ({} as ListState);

/** The list as somebody else made it. */
async function existing(items: readonly object[], name = "office", kind = "ip"): Promise<string> {
  const { id } = await service.ask<{ id: string }>("POST", root(), { name, kind });
  if (items.length > 0) await service.ask("POST", `${root()}/${id}/items`, items);
  return id;
}

/** The items at the service, by value. */
async function itemsAt(id = stateOf().listId): Promise<Record<string, string>> {
  const items = await service.ask<{ ip: string; comment?: string }[]>("GET", `${root()}/${id}/items`);
  return Object.fromEntries(items.map(({ ip, comment = "" }) => [ip, comment]));
}

const addItems = (items: readonly object[]): Promise<unknown> =>
  service.ask("POST", `${root()}/${stateOf().listId}/items`, items);

describe("an existing list of that name", () => {
  test("is taken over without a write if it is equal, and a delete keeps it", async () => {
    const id = await existing([{ ip: "192.0.2.7", comment: "Berlin" }]);
    const args = office([{ value: "192.0.2.7", comment: "Berlin" }]);
    expect((await list.preview(args)).notes).toEqual([
      'takes over the existing list office\n  A delete leaves it in place until this stack has changed it or sets onExisting: "adopt".',
    ]);
    expect(writesIn((await list.up(args)).requests)).toEqual([]);
    expect(list.kept?.id).toBe(`accounts/${accountId}/lists/${id}`);
    await list.settled(args);
    expect(writesIn(await list.destroy())).toEqual([]);
    expect(list.warnings.join()).toContain("the list office was not deleted: this stack took it over");
    expect(await itemsAt(id)).toEqual({ "192.0.2.7": "Berlin" });
  });

  test("is equal where the service spells a comment otherwise, and an edit of the rest leaves the comment alone", async () => {
    await existing([{ ip: "192.0.2.7", comment: "R&amp;D &lt;it&#39;s&gt;" }, { ip: "192.0.2.8" }]);
    const ours = { value: "192.0.2.7", comment: " R&D  <it's>" };
    const args = office([ours, "192.0.2.8"]);
    expect((await list.preview(args)).plans.join()).not.toMatch(/P(OST|UT|ATCH) /);
    expect(writesIn((await list.up(args)).requests)).toEqual([]);
    await list.settled(args);
    const { requests } = await list.up(office([ours, "192.0.2.8", "192.0.2.9"]));
    expect(writesIn(requests)).toHaveLength(1);
    expect(await itemsAt()).toMatchObject({ "192.0.2.7": "R&amp;D &lt;it&#39;s&gt;", "192.0.2.9": "" });
    await list.up(office([{ ...ours, comment: "R&D" }, "192.0.2.8", "192.0.2.9"]));
    expect(await itemsAt()).toMatchObject({ "192.0.2.7": "R&D" });
  });

  test("is equal where the service spells its description, a target or a switch without a meaning otherwise", async () => {
    const { id } = await service.ask<{ id: string }>("POST", root(), {
      ...{ name: "moves", kind: "redirect", description: "R&amp;D" },
    });
    const redirect = { source_url: "a.test/", target_url: "https://b.test", preserve_path_suffix: false };
    await service.ask("POST", `${root()}/${id}/items`, [{ redirect: { ...redirect, subpath_matching: false } }]);
    const args = { ...redirects({ source: "A.test", target: "https://B.test/" }), description: "R&D" };
    expect((await list.preview(args)).plans.join()).not.toMatch(/P(OST|UT|ATCH) /);
    expect(writesIn((await list.up(args)).requests)).toEqual([]);
    await list.settled(args);
  });

  test("is taken over as it is in `wire`, which is sent unchecked, with a warning", async () => {
    const id = await existing(
      [{ redirect: { source_url: "example.test/a", target_url: "https://b.test/" } }],
      "moves",
      "redirect",
    );
    const wire = { redirect: { source_url: "example.test/a", target_url: "https://b.test/", status_code: 301 } };
    const args = redirects({ wire });
    expect((await list.preview(args)).warnings.join()).toContain(
      "items[0]: has wire, so it is sent as it is, and not checked",
    );
    expect(writesIn((await list.up(args)).requests)).toEqual([]);
    expect((await list.preview(args)).warnings).toEqual([]);
    await list.settled(args);
    expect(stateOf().listId).toBe(id);
    expect(await refused({ ...args, items: [{ wire: { ip: "192.0.2.1" } }] })).toContain(
      "items[0].wire: must be an item of the kind redirect as the service has it",
    );
  });

  test("that an interrupted run has filled is taken over as equal, and deleted if the program owns it", async () => {
    const args = office(["192.0.2.7"]);
    await list.up(args);
    const again = new ManagedResource<ListState>("RulesList", service, "urn:test");
    await again.up(args);
    const adopting = office(["192.0.2.7"], { onExisting: "adopt" });
    expect((await again.up(adopting)).requests).toEqual([]);
    expect(await service.ask("GET", root())).toHaveLength(1);
    await again.destroy();
    expect(await service.ask("GET", root())).toEqual([]);
  });

  test("that was only taken over belongs to the stack once it was edited, also by a run that was killed", async () => {
    await existing([{ ip: "192.0.2.7" }]);
    await list.up(office(["192.0.2.7"]));
    const { kept } = list;
    const edited = office(["192.0.2.7", "192.0.2.8"]);
    await list.up(edited);
    // Nobody has recorded the edit.
    list.kept = kept;
    expect(writesIn((await list.up(edited)).requests)).toEqual([]);
    await list.destroy();
    expect(await service.ask("GET", root())).toEqual([]);
  });

  test("that was only taken over stays after an edit that nobody has recorded, and its delete says what the state tells", async () => {
    await existing([{ ip: "192.0.2.7" }]);
    await list.up(office(["192.0.2.7"]));
    const { kept } = list;
    await list.up(office(["192.0.2.7", "192.0.2.8"]));
    list.kept = kept;
    await list.refresh();
    await list.destroy();
    expect(list.warnings.join()).toContain("its state records no change of it");
    expect(await service.ask("GET", root())).toHaveLength(1);
  });

  test("with fewer items is completed, and then belongs to the stack", async () => {
    const id = await existing([{ ip: "192.0.2.7" }]);
    const args = office(["192.0.2.7", "192.0.2.8"]);
    expect(writesIn((await list.up(args)).requests)).toHaveLength(1);
    expect(await itemsAt(id)).toEqual({ "192.0.2.7": "", "192.0.2.8": "" });
    await list.settled(args);
    await list.destroy();
    expect(await service.ask("GET", root())).toEqual([]);
  });

  test.each([
    [
      "fail",
      [/would lose or change 1 item of it:\n {2}-192[.]0[.]2[.]7 \(comment not shown\)/, /onExisting: "replace"/],
    ],
    ["adopt", [/would lose or change 1 item/, /add them to `items`\n/]],
  ])("with other items is refused by %s, in the preview and in the up", async (onExisting, texts) => {
    await existing([{ ip: "192.0.2.7", comment: "mine" }]);
    const args = office(["192.0.2.8"], { onExisting });
    const text = await refused(args);
    for (const expected of texts) expect(text).toMatch(expected);
    await expect(list.up(args)).rejects.toThrow(/Nothing was changed/);
    expect(writesIn(await service.requests())).toEqual([]);
  });

  test("gets the program's details with adopt, and loses its items with replace", async () => {
    const id = await existing([{ ip: "192.0.2.7", comment: "mine" }]);
    await list.up(office([{ value: "192.0.2.7", comment: "ours" }], { onExisting: "adopt" }));
    expect(await itemsAt(id)).toEqual({ "192.0.2.7": "ours" });
    const other = new ManagedResource<ListState>("RulesList", service, "urn:other");
    await other.up(office(["192.0.2.9"], { onExisting: "replace" }));
    expect(await itemsAt(id)).toEqual({ "192.0.2.9": "" });
  });

  test("of another kind is refused", async () => {
    await existing([], "office", "asn");
    expect(await refused(office([]))).toMatch(/already a list office, of the kind asn and not ip/);
  });
});

describe("beside a list of a kind that this version does not know", () => {
  const future = { id: "f".repeat(32), name: "future", kind: "tls_fingerprint", num_items: 2 };
  const wires = [{ tls_fingerprint: "e7d705", comment: "bots" }, { tls_fingerprint: { ja4: "t13", os: ["a", null] } }];
  const withFuture = async (): Promise<void> => {
    const answers = (path: string, result: unknown) =>
      service.fault({ method: "GET", path, status: 200, times: 9, body: answer(result) });
    await answers("/rules/lists$", [...(await service.ask<object[]>("GET", root())), future]);
    const made = { ip: null, created_on: "2026-01-01" };
    const stored = wires.map((wire, at) => ({ id: String(at).repeat(32), ...made, ...wire }));
    await answers(`/rules/lists/${future.id}/items`, stored);
  };
  const read = (name: string) => KINDS.RulesList().read(list.newSession(), `accounts/${accountId}/lists/${name}`, {});

  test("it is imported, and a program has its items in `wire`", async () => {
    await withFuture();
    expect(await read("future")).toMatchObject({
      state: { kind: "tls_fingerprint", items: { e7d705: { wire: { tls_fingerprint: "e7d705" }, comment: "bots" } } },
    });
    const args = { accountId, name: "future", kind: "tls_fingerprint" };
    const { notes, warnings } = await list.preview({ ...args, items: wires.map((wire) => ({ wire })) });
    expect(notes).toEqual([expect.stringMatching(/^takes over the existing list future\n {2}A delete leaves it/)]);
    expect(warnings).toEqual([
      expect.stringContaining('kind: the kind "tls_fingerprint" is not known to this version'),
      ...["items[0]", "items[1]"].map((item) => expect.stringContaining(`${item}: has wire`) as string),
    ]);
    await list.up({ ...args, items: wires.map((wire) => ({ wire })) });
    expect((await list.preview({ ...args, items: wires.map((wire) => ({ wire })) })).warnings).toEqual([]);
    await expect(list.preview({ ...args, items: ["e7d705"] })).rejects.toThrow(
      'items[0]: must be in `wire`, as the service has it: this version does not know the kind "tls_fingerprint"',
    );
    await expect(list.preview({ ...args, kind: "host_name", items: [] })).rejects.toThrow('did you mean "hostname"?');
  });

  test("others are created, refreshed and imported, and it is refused by its name", async () => {
    await withFuture();
    const args = office(["192.0.2.7"]);
    await list.preview(args);
    await list.up(args);
    await service.noFaults();
    await withFuture();
    expect(await list.refresh()).toBe(true);
    expect(await read("office")).toMatchObject({ state: { items: { "192.0.2.7": "" } } });
    const other = new ManagedResource<ListState>("RulesList", service, "urn:other");
    await expect(other.preview({ ...office([]), name: "future" })).rejects.toThrow(
      /already a list future, of the kind tls_fingerprint and not ip/,
    );
  });
});

describe("the description", () => {
  const described = (description: string) =>
    service.ask<{ id: string }>("POST", root(), { name: "office", kind: "ip", description });
  const at = async () => (await service.ask<{ description?: string }[]>("GET", root()))[0]?.description;

  test("of an existing list is written if the program gives another one, which makes the list the stack's", async () => {
    await described("Theirs");
    const args = office([], { description: "Ours" });
    expect((await list.preview(args)).notes).toEqual(["takes over the existing list office; its description changes"]);
    await list.up(args);
    expect(await at()).toBe("Ours");
    await list.settled(args);
    await list.destroy();
    expect(await service.ask("GET", root())).toEqual([]);
  });

  test("of an existing list is left alone if the program gives none", async () => {
    await described("Theirs");
    await list.up(office([]));
    await list.settled(office([]));
    expect(await at()).toBe("Theirs");
  });

  test("is removed with that of the program", async () => {
    await list.up(office([], { description: "Ours" }));
    await list.up(office([]));
    expect(await at()).toBeUndefined();
    await list.settled(office([]));
  });

  test("is not written by an edit that stops at somebody else's change", async () => {
    await list.up(office(["192.0.2.7"], { description: "Ours" }));
    await addItems([{ ip: "203.0.113.9" }]);
    await expect(list.up(office(["192.0.2.8"], { description: "New" }))).rejects.toThrow(/Nothing was written/);
    expect(await at()).toBe("Ours");
  });
});

describe("changes of others", () => {
  const args = () => office(["192.0.2.7", "192.0.2.8"]);

  test("stop an edit, in its preview and in the up, and are named", async () => {
    await list.up(args());
    await addItems([{ ip: "203.0.113.9", comment: "bot" }]);
    const edited = office(["192.0.2.7", "192.0.2.10"]);
    const text = await refused(edited);
    expect(text).toMatch(/were changed by somebody else:\n {2}[+]203[.]0[.]113[.]9 \(bot\)\nNothing was written/);
    await expect(list.up(edited)).rejects.toThrow(/203[.]0[.]113[.]9 \(bot\)/);
    expect(Object.keys(await itemsAt())).toHaveLength(3);
    const run = await list.up(edited, { onConflict: "overwrite" });
    expect(run.warnings.join()).toContain("overwriting, as requested");
    expect(Object.keys(await itemsAt()).sort()).toEqual(["192.0.2.10", "192.0.2.7"]);
  });

  test("that the program makes too are no conflict", async () => {
    await list.up(args());
    await addItems([{ ip: "192.0.2.10" }]);
    await list.up(office(["192.0.2.7", "192.0.2.8", "192.0.2.10"]));
    expect(writesIn(await service.requests())).toEqual([]);
  });

  test("are apart from the program's items after a refresh, and stop the next up", async () => {
    await list.up(args());
    await addItems([{ ip: "203.0.113.9", comment: "bot" }]);
    await list.refresh();
    expect(list.kept?.inputs).toMatchObject({
      items: { "192.0.2.7": "", "192.0.2.8": "" },
      foreignItems: { "203.0.113.9": "bot" },
    });
    expect(await refused(args())).toMatch(/203[.]0[.]113[.]9 \(bot\)/);
    await expect(list.up(args())).rejects.toThrow(/changed by somebody else/);
    await list.up(office(["192.0.2.7", "192.0.2.8", { value: "203.0.113.9", comment: "bot" }]));
    expect(writesIn(await service.requests())).toEqual([]);
    await list.settled(office(["192.0.2.7", "192.0.2.8", { value: "203.0.113.9", comment: "bot" }]));
  });

  test("stop a destroy", async () => {
    await list.up(args());
    await addItems([{ ip: "203.0.113.9" }]);
    await expect(list.destroy()).rejects.toThrow(/changed by somebody else/);
    expect(await service.ask<unknown[]>("GET", root())).toHaveLength(1);
  });
});

describe("a shared list", () => {
  const mine = (items: readonly unknown[], more: object = {}) => office(items, { ownership: "shared", ...more });

  test("leaves the items of others alone, through edits and its delete", async () => {
    const id = await existing([{ ip: "203.0.113.9", comment: "bot" }]);
    await list.up(mine(["192.0.2.7", "192.0.2.8"]));
    await addItems([{ ip: "203.0.113.10", comment: "bot" }]);
    await list.up(mine(["192.0.2.8", "192.0.2.9"]));
    expect(await itemsAt(id)).toEqual({
      "192.0.2.8": "",
      "192.0.2.9": "",
      "203.0.113.10": "bot",
      "203.0.113.9": "bot",
    });
    await list.settled(mine(["192.0.2.8", "192.0.2.9"]));
    expect(stateOf().size).toBe(4);
    await list.destroy();
    expect(await itemsAt(id)).toEqual({ "203.0.113.10": "bot", "203.0.113.9": "bot" });
  });

  test("never replaces all items, and cannot be deleted", async () => {
    await list.up(mine(["192.0.2.7"]));
    expect(writesIn((await list.up(mine(["192.0.2.8"]))).requests).map((request) => request.split(" ")[0])).toEqual([
      "POST",
      "DELETE",
    ]);
    expect(await refused(mine([], { onDelete: "delete" }))).toMatch(/onDelete.*"empty" or "keep"/);
  });
});

test("a list whose create answered without it is looked for, and belongs to the stack", async () => {
  await service.fault({ method: "POST", path: "/rules/lists$", body: answer({}) });
  const { requests } = await list.up(office([]));
  expect(writesIn(requests)).toEqual([`POST ${root()}`]);
  await list.settled(office([]));
  await list.destroy();
  expect(await service.ask("GET", root())).toEqual([]);
});

describe("operations of the service", () => {
  test("are waited for, with progress, and with the clock alone", async () => {
    await service.setListPace(accountId, { seconds: 10 });
    const run = await list.up(office(["192.0.2.7"]));
    expect(run.statuses[0]).toContain("the service is changing the items of the list office (pending), for 0 s");
    expect(list.clock.slept / 1000).toBeGreaterThanOrEqual(20);
    expect(await itemsAt()).toEqual({ "192.0.2.7": "" });
  });

  test("that are not named in a success may be under way, and the state records what was sent", async () => {
    await service.fault({ method: "POST", path: "/items$", status: 200, body: answer({}) });
    await expect(list.up(office(["192.0.2.7"]))).rejects.toThrow(
      /^POST \S+: the response contains no operation\. It is not known whether the request was carried out/,
    );
    expect(stateOf()).toMatchObject({ __incomplete: true, __sent: { "192.0.2.7": "" } });
    await list.up(office(["192.0.2.7"]));
    expect(await itemsAt()).toEqual({ "192.0.2.7": "" });
  });

  test("of somebody else are waited for", async () => {
    const id = await existing([], "other");
    await service.setListPace(accountId, { seconds: 10 });
    await service.ask("POST", `${root()}/${id}/items`, [{ ip: "203.0.113.9" }]);
    const run = await list.up(office(["192.0.2.7"]));
    expect(run.statuses.join()).toContain("another change of lists in this account is under way");
    expect(await itemsAt()).toEqual({ "192.0.2.7": "" });
  });

  test("that the rate limit holds back are tried again with its name, up to the time limit", async () => {
    await service.fault({ method: "POST", path: "/items$", status: 429, times: 99 });
    const failed = list.up(office(["192.0.2.7"], { timeoutSeconds: 20 }));
    await expect(failed).rejects.toThrow(/^the service allows no more requests for now \(429\), still after 20 s/);
    expect(list.statuses.join()).toContain(
      "the service allows no more requests for now (429), for 0 s; next check in 1 s",
    );
  });

  test("are not sent again where the service asks for a longer wait than a run waits", async () => {
    const headers = { "Retry-After": "999999" };
    await service.fault({ method: "POST", path: "/items$", status: 429, headers, times: 99 });
    await expect(list.up(office(["192.0.2.7"]))).rejects.toThrow(
      /The service asks to wait more than a day \(Retry-After\)/,
    );
    expect((await service.requests()).filter((request) => /^POST .*items$/.test(request))).toHaveLength(1);
  });

  describe("of somebody else on the same list", () => {
    /** A change that the service carries out only after the run has begun. */
    const theirs = async (comment = "bot"): Promise<void> => {
      await service.setListPace(accountId, { seconds: 10 });
      await addItems([
        { ip: "203.0.113.9", comment },
        { ip: "192.0.2.7", comment },
      ]);
    };

    test("stop an edit that would undo them", async () => {
      await list.up(office(["192.0.2.7", "192.0.2.8"]));
      await theirs();
      await expect(list.up(office(["192.0.2.7", "192.0.2.9"]))).rejects.toThrow(
        /changed by somebody else:\n {2}[+]203[.]0[.]113[.]9 \(bot\)\n {2}~192[.]0[.]2[.]7: no comment → bot/,
      );
      expect(await itemsAt()).toEqual({ "192.0.2.7": "bot", "192.0.2.8": "", "203.0.113.9": "bot" });
      await service.setListPace(accountId, "at-once");
      const adopted = [{ value: "203.0.113.9", comment: "bot" }, { value: "192.0.2.7", comment: "bot" }, "192.0.2.9"];
      await list.up(office(adopted));
      await list.settled(office(adopted));
    });

    test("stay in a shared list, also where it is emptied", async () => {
      const mine = (items: readonly unknown[]) => office(items, { ownership: "shared" });
      await list.up(mine(["192.0.2.8"]));
      const id = stateOf().listId;
      await theirs();
      await list.up(mine(["192.0.2.9"]));
      expect(await itemsAt(id)).toEqual({ "192.0.2.9": "", "192.0.2.7": "bot", "203.0.113.9": "bot" });
      expect(stateOf().size).toBe(3);
      await addItems([{ ip: "192.0.2.9", comment: "theirs" }]);
      await expect(list.destroy()).rejects.toThrow("~192.0.2.9: no comment → theirs");
      expect(await itemsAt(id)).toEqual({ "192.0.2.9": "theirs", "192.0.2.7": "bot", "203.0.113.9": "bot" });
    });

    test("do not make items the stack's that were never sent", async () => {
      const mine = (items: readonly unknown[]) => office(items, { ownership: "shared" });
      await list.up(mine(["192.0.2.7"]));
      await theirs();
      const refused = list.up(mine([{ value: "192.0.2.7", comment: "ours" }, "192.0.2.9"]));
      await expect(refused).rejects.toThrow("~192.0.2.7: no comment → bot");
      await service.setListPace(accountId, "at-once");
      await addItems([{ ip: "192.0.2.9", comment: "theirs" }]);
      await list.up(mine([{ value: "192.0.2.7", comment: "bot" }]));
      expect(await itemsAt()).toEqual({ "192.0.2.7": "bot", "203.0.113.9": "bot", "192.0.2.9": "theirs" });
    });

    test.each([[["192.0.2.7", "192.0.2.8"]], [[]]])(
      "stop a delete of %j, which waits and reads again",
      async (items) => {
        await list.up(office(items));
        await theirs();
        await expect(list.destroy()).rejects.toThrow("+203.0.113.9 (bot)");
        const now = Object.fromEntries(items.map((item) => [item, ""]));
        expect(await itemsAt()).toEqual({ ...now, "192.0.2.7": "bot", "203.0.113.9": "bot" });
        list.settings = { onConflict: "overwrite" };
        await list.destroy();
        expect(await service.ask("GET", root())).toEqual([]);
      },
    );

    describe("between what a delete reads and what it sends", () => {
      const meanwhile = async (method: string, body?: unknown, path = `${root()}/${stateOf().listId}/items`) => {
        await service.fault({ path: "/items$", method: "POST", meanwhile: [{ method, path, body }] });
      };

      test.each([
        ["added to a list without items", [], "POST", [{ ip: "203.0.113.9" }]],
        ["added", ["192.0.2.7"], "POST", [{ ip: "203.0.113.9" }]],
        ["put in the place of others", ["192.0.2.7", "192.0.2.8"], "PUT", [{ ip: "192.0.2.7" }, { ip: "203.0.113.9" }]],
      ])("stop it, if they are %s", async (_, items, method, theirs) => {
        await list.up(office(items));
        await meanwhile(method, theirs);
        await expect(list.destroy()).rejects.toThrow("+203.0.113.9");
        expect(await itemsAt()).toHaveProperty(["203.0.113.9"]);
      });

      test.each(["delete", "empty"])("are all that it does, if they delete the list: %s", async (onDelete) => {
        await list.up(office(["192.0.2.7"], { onDelete }));
        await service.fault({
          path: "/items$",
          method: onDelete === "empty" ? "PUT" : "POST",
          meanwhile: [{ method: "DELETE", path: `${root()}/${stateOf().listId}` }],
        });
        await list.destroy();
        expect(await service.ask("GET", root())).toEqual([]);
      });
    });

    test("are not waited for where the service takes no items of a list without any: a warning says so", async () => {
      await list.up(office([]));
      await service.fault({ method: "POST", path: "/items$", status: 400 });
      await list.destroy();
      expect(list.warnings.join()).toContain(
        "could not wait for changes that others may have begun in the list office",
      );
      expect(await service.ask("GET", root())).toEqual([]);
    });

    test("stop a delete where a proxy answers instead of the service", async () => {
      await list.up(office(["192.0.2.7"]));
      await service.fault({ method: "POST", path: "/items$", status: 400, body: "<html>Blocked</html>" });
      await expect(list.destroy()).rejects.toThrow(/Blocked.*This is not the API's format/);
      expect(await itemsAt()).toEqual({ "192.0.2.7": "" });
    });

    test("are undone where the program asks for it", async () => {
      await list.up(office(["192.0.2.7", "192.0.2.8"]));
      await theirs();
      const run = await list.up(office(["192.0.2.9"]), { onConflict: "overwrite" });
      expect(run.warnings.join()).toContain("overwriting, as requested");
      expect([await itemsAt(), stateOf().size]).toEqual([{ "192.0.2.9": "" }, 1]);
    });
  });

  test("that take too long leave a state that the next up completes, without writing twice", async () => {
    await service.setListPace(accountId, { seconds: 100 });
    const args = office(["192.0.2.7", "192.0.2.8"], { timeoutSeconds: 5 });
    await expect(list.up(args)).rejects.toThrow(/still after 5 s[^]*run `pulumi up` again/);
    expect(stateOf()).toMatchObject({ __incomplete: true, items: {} });
    await service.advanceClock(1000);
    expect(writesIn((await list.up(args)).requests)).toEqual([]);
    await list.settled(args);
  });

  test("that fail say why", async () => {
    const failed = { id: "1", status: "failed", error: "too many items" };
    await service.fault({ path: "bulk_operations", status: 200, body: answer(failed) });
    await expect(list.up(office(["192.0.2.7"]))).rejects.toThrow(
      /could not change the items of the list office: too many/,
    );
  });
});

describe("an interrupted write", () => {
  test.each(["before", "after"] as const)("of a create converges when its answer is lost %s it", async (cut) => {
    const args = office(["192.0.2.7"]);
    await service.fault({ method: "POST", path: "/items", cut });
    await expect(list.up(args)).rejects.toThrow();
    await list.up(args);
    expect(await itemsAt()).toEqual({ "192.0.2.7": "" });
    expect(await service.ask<unknown[]>("GET", root())).toHaveLength(1);
    await list.settled(args);
  });

  test("of an edit is not taken for somebody else's change, even if the program changes in between", async () => {
    await list.up(office(["192.0.2.7", "192.0.2.8", "192.0.2.9", "192.0.2.10"]));
    // The addition is applied, the removal is not.
    await service.fault({ method: "DELETE", path: "/items", status: 400, body: { success: false, errors: [] } });
    await expect(list.up(office(["192.0.2.8", "192.0.2.9", "192.0.2.10", "192.0.2.11"]))).rejects.toThrow();
    const now = office(["192.0.2.7", "192.0.2.8", "192.0.2.9", "192.0.2.12"]);
    await list.up(now);
    expect(Object.keys(await itemsAt()).sort()).toEqual(["192.0.2.12", "192.0.2.7", "192.0.2.8", "192.0.2.9"]);
    await list.settled(now);
  });

  test("of a removal whose answer is lost is not taken for somebody else's", async () => {
    const all = office(["192.0.2.7", "192.0.2.8", "192.0.2.9", "192.0.2.10"]);
    await list.up(all);
    await service.fault({ method: "DELETE", path: "/items", cut: "after", times: 9 });
    await expect(list.up(office(["192.0.2.8", "192.0.2.9", "192.0.2.10"]))).rejects.toThrow();
    expect(Object.keys(await itemsAt())).not.toContain("192.0.2.7");
    await service.noFaults();
    await list.up(all);
    await list.settled(all);
  });

  test("of items, after the description, leaves the description in the state", async () => {
    await list.up(office(["192.0.2.7"], { description: "Ours" }));
    await service.fault({ method: "PUT", path: "/items", status: 400, body: { success: false, errors: [] } });
    await expect(list.up(office(["192.0.2.8"], { description: "New" }))).rejects.toThrow();
    expect(stateOf()).not.toHaveProperty("__sent");
    await list.up(office(["192.0.2.7"], { description: "Ours" }));
    const [{ description }] = await service.ask<[{ description: string }]>("GET", root());
    expect([description, await itemsAt()]).toEqual(["Ours", { "192.0.2.7": "" }]);
  });

  test("of the list itself is found again", async () => {
    await service.fault({ method: "POST", path: "/rules/lists", cut: "after" });
    await list.up(office(["192.0.2.7"]));
    expect(await service.ask<unknown[]>("GET", root())).toHaveLength(1);
  });
});

describe("requests", () => {
  const many = (count: number, first = 0): string[] =>
    Array.from({ length: count }, (_, index) => {
      const at = first + index;
      return `10.${String(at >> 16)}.${String((at >> 8) & 255)}.${String(at & 255)}`;
    });

  test("10,000 new items take at most 15, and none if nothing changes", async () => {
    const { requests } = await list.up(office(many(10_000)));
    expect(requests.length).toBeLessThanOrEqual(15);
    expect(stateOf().size).toBe(10_000);
    expect((await list.up(office(many(10_000).reverse()))).requests).toEqual([]);
    expect((await list.preview(office(many(10_001)))).plans).toEqual([
      expect.stringContaining("+1 ~0 -0, 10000 unchanged; sends POST "),
    ]);
  });

  test("a refresh does not take a list for deleted that a list of lists does not show", async () => {
    const args = office(["192.0.2.7"]);
    await list.up(args);
    const hide = { method: "GET", path: `${root()}$`, times: 9 };
    await service.fault({ ...hide, body: answer([]) });
    expect(await list.refresh()).toBe(true);
    expect(stateOf().items).toEqual({ "192.0.2.7": "" });
    await service.noFaults();
    await list.settled(args);
    const { id = "" } = list.kept ?? {};
    await service.fault({ ...hide, body: answer([]) });
    // Where the state cannot be read, only the ID of the resource names the list.
    expect(await KINDS.RulesList().read(list.newSession(), id, {})).toMatchObject({ state: { name: "office" } });
    await service.noFaults();
    await service.ask("DELETE", `${root()}/${stateOf().listId}`);
    expect(await list.refresh()).toBe(false);
  });

  test("a refresh names the items that somebody else changed, once", async () => {
    await list.up(office(many(2)));
    await addItems([{ ip: "203.0.113.9", comment: "bot" }]);
    await list.refresh();
    expect(list.notes).toEqual(["the items of the list office were changed by somebody else:\n  +203.0.113.9 (bot)"]);
    await list.refresh();
    expect(list.notes).toEqual([]);
  });

  test("items of others stay in a shared list whose state could not be read before a refresh", async () => {
    const args = office(["192.0.2.7"], { ownership: "shared" });
    await list.up(args);
    await addItems([{ ip: "203.0.113.9", comment: "bot" }]);
    const { id, inputs, outputs } = list.stored as NonNullable<typeof list.stored>;
    list.kept = { id, inputs, state: { ...outputs, items: "later" } } as unknown as typeof list.kept;
    await list.refresh();
    expect(stateOf()).toMatchObject({ ownership: "shared", items: {} });
    const { listId } = stateOf();
    await list.up(args);
    await list.destroy();
    expect(await itemsAt(listId)).toEqual({ "203.0.113.9": "bot" });
  });

  test.each([true, false])("a state of an interrupted write converges; applied: %s", async (isApplied) => {
    await list.up(office(["192.0.2.1", "192.0.2.2", "192.0.2.3"]));
    const { id, inputs, state } = list.kept ?? { id: "", inputs: {}, state: stateOf() };
    const recorded = { __incomplete: true, __sent: { "192.0.2.9": "new", "192.0.2.1": false } };
    list.kept = { id, inputs, state: { ...state, ...recorded } as unknown as ListState };
    if (isApplied) {
      await addItems([{ ip: "192.0.2.9", comment: "new" }]);
      const all = await service.ask<{ id: string; ip: string }[]>("GET", `${root()}/${state.listId}/items`);
      const gone = all.filter(({ ip }) => ip === "192.0.2.1").map((item) => ({ id: item.id }));
      await service.ask("DELETE", `${root()}/${state.listId}/items`, { items: gone });
    }
    await list.refresh();
    expect(list.kept.inputs).not.toHaveProperty("foreignItems");
    const wanted = office(["192.0.2.2", "192.0.2.3", { value: "192.0.2.9", comment: "new" }]);
    expect(writesIn((await list.up(wanted)).requests)).toHaveLength(isApplied ? 0 : 1);
    expect(stateOf().__sent).toBeUndefined();
    await list.settled(wanted);
  });

  test("ignored items stay as they are at the service", async () => {
    await list.up(office(many(3)));
    const kept = { ...office(["192.0.2.7"], { description: "Ours" }), items: list.stored?.inputs.items };
    const { requests } = await list.up(kept);
    expect(writesIn(requests)).toEqual([`PUT ${root()}/${stateOf().listId}`]);
    expect(Object.keys(await itemsAt())).toHaveLength(3);
    expect(await list.up(kept)).toMatchObject({ action: "none", requests: [] });
  });

  test("many new lists that are created in one run are looked up in one request", async () => {
    const run = list.start();
    await service.forget();
    for (const name of ["a", "b", "c"]) {
      const other = new ManagedResource<ListState>("RulesList", service, `urn:${name}`);
      other.run = run;
      await other.apply({ accountId, name, kind: "ip" });
    }
    expect(await service.requests()).toEqual([`GET ${root()}`, ...["a", "b", "c"].map(() => `POST ${root()}`)]);
  });

  test("many new lists of an account are looked up in one request", async () => {
    const run = list.start();
    const others = ["a", "b", "c"].map((name) => new ManagedResource<ListState>("RulesList", service, `urn:${name}`));
    await service.forget();
    for (const [index, other] of others.entries()) {
      other.run = run;
      await other.plan({ accountId, name: `list_${String(index)}`, kind: "ip" }, true);
    }
    // The smallest plan includes one list.
    expect(await service.requests()).toEqual([`GET ${root()}`, "GET /zones"]);
  });
});

describe("a secret comment", () => {
  const hidden = "handed-over-by-Zorro-9731";
  const noted = [
    { value: "10.0.0.0", comment: secret(hidden) },
    { value: "10.0.0.1", comment: "plain" },
  ];
  const shown = (): string => [...list.notes, ...list.warnings, JSON.stringify(list.stored)].join("\n");

  test("is written, and is hidden in messages and in the state", async () => {
    await list.up(office(noted));
    expect((await itemsAt())["10.0.0.0"]).toBe(hidden);
    expect(list.stored?.outputs.items).toMatchObject({ "10.0.0.1": "plain" });
    expect(JSON.stringify(clear(list.stored))).not.toContain(hidden);
    await list.settled(office(noted.toReversed()));
    const path = `${root()}/${stateOf().listId}/items`;
    const items = await service.ask<{ id: string; ip: string }[]>("GET", `${path}?per_page=500`);
    await service.ask("DELETE", path, { items: [{ id: items.find(({ ip }) => ip === "10.0.0.0")?.id }] });
    await list.refresh();
    expect(list.notes.join()).toContain("-10.0.0.0 ([secret])");
    expect(JSON.stringify(clear(list.stored))).not.toContain(hidden);
    await list.up(office(["192.0.2.7"]));
    expect([Object.keys(await itemsAt()), shown()]).toEqual([["192.0.2.7"], expect.not.stringContaining(hidden)]);
  });

  test("is hidden in the state of an interrupted write", async () => {
    await list.up(office(["192.0.2.7"]));
    await service.fault({ method: "PUT", path: "/items", cut: "after" });
    await expect(list.up(office(noted))).rejects.toThrow();
    expect(stateOf().__sent).toMatchObject({ "10.0.0.0": hidden });
    expect(JSON.stringify(clear(list.stored))).not.toContain(hidden);
    await list.up(office(noted));
    await list.settled(office(noted));
  });

  test("is not in the reason of a change that the service could not carry out, not even in part", async () => {
    const error = "the comment that ends with Zorro-9731 is too long";
    const failed = { id: "1", status: "failed", error };
    await service.fault({ path: "bulk_operations", status: 200, body: answer(failed) });
    const text = await failureOf(list.up(office(noted)));
    expect(text).toContain(
      "could not change the items of the list office: its reason is not shown, because comments of items are secrets. To continue:",
    );
    expect(text).not.toContain("Zorro");
  });

  test("of a redirect is hidden beside its other details", async () => {
    const move = { source: "a.example/", target: "https://b.example/", comment: secret(hidden) };
    await list.up(redirects(move));
    expect(list.stored?.outputs.items).toMatchObject({ "a.example/": { target: "https://b.example/" } });
    expect(JSON.stringify(clear(list.stored))).not.toContain(hidden);
  });

  test.each([
    ["items", secret(["192.0.2.7"])],
    ["items\\[0\\]", [secret("192.0.2.7")]],
    ["items\\[0\\][.]value", [{ value: secret("192.0.2.7"), comment: "a" }]],
  ])("is all that can be secret, not %s", async (path, items) => {
    const text = await refused({ accountId, name: "office", kind: "ip", items });
    expect(text).toMatch(new RegExp(`${path}: is a secret, but of an item only the comment can be one`));
    expect(text).not.toContain("192.0.2.7");
  });
});

describe("arguments", () => {
  const listOf = (kind: string, ...items: unknown[]): object => ({ accountId: "", name: "a", kind, items });
  test.each([
    [office(["192.0.2.300"]), /items\[0\]: must be an IP address or a range.*"192[.]0[.]2[.]300" is neither/],
    [office(["192.0.2.1", "192.0.2.1/32"]), /items\[1\]: is 192[.]0[.]2[.]1, as items\[0\] is[.] Keep one of them/],
    [office(["10.0.0.0/1"]), /items\[0\]: 10[.]0[.]0[.]0\/1: ranges of IPv4 in lists have prefixes from \/2 to \/32/],
    [office(["2000::/11"]), /items\[0\]: 2000::\/11: ranges of IPv6 in lists have prefixes from \/12 to \/128/],
    ...[`${"a".repeat(64)}.example`, `${"a".repeat(63)}.`.repeat(4) + "example"].map((name): [object, RegExp] => [
      listOf("hostname", name),
      /items\[0\]: must be a hostname of at most 253 characters, 63 between dots, .* is none/,
    ]),
    [
      office([{ value: "192.0.2.1", target: "https://a.example" }]),
      /items\[0\][.]target: does not exist for items of the kind ip/,
    ],
    [office([], { itemsFile: "x.txt" }), /items and itemsFile are mutually exclusive/],
    [office([], { name: "has space" }), /name: must have 1 to 50 letters/],
    [listOf("asn", "AS64496", 64496), /items\[1\]: is 64496, as items\[0\] is/],
    [
      listOf("redirect", { source: "example.com/a?b", target: "https://b.example" }),
      /items\[0\][.]source: must be a URL of http or https with a hostname and a path only/,
    ],
    [listOf("redirect", { source: "example.com/a", target: "/b" }), /items\[0\][.]target: must be a URL with a scheme/],
    [
      listOf("redirect", { source: "a.example", target: "b.example:8080/c" }),
      /items\[0\][.]target: begins with a host and a port: put https:\/\/ in front of it/,
    ],
    [
      listOf("redirect", { source: "a.example", target: "localhost:8080" }),
      /items\[0\][.]target: begins with a host and a port/,
    ],
    [office([{ value: "192.0.2.1", comment: "\0a" }]), /items\[0\][.]comment: cannot begin with a null character/],
  ])("%# are refused at preview, with the path", async (args, expected) => {
    expect(await refused({ ...args, accountId })).toMatch(expected);
  });

  test("redirects that no browser follows are a warning, and others that the service takes are none", async () => {
    const followed = ["magnet:?xt=urn:btih:2bd9", "https://b.example/", "tel:112", "web+foo.bar:x"];
    const apps = ["com.example.app://open", "com.example.app:/oauth"];
    const targets = ["JavaScript:alert(1)", "data:text/html,a", "\u0001javascript:alert(1)", ...followed, ...apps];
    const items = targets.map((target, at) => ({ source: `a.example/${String(at)}`, target }));
    const { warnings } = await list.preview(redirects(...items));
    expect(warnings).toEqual([
      "items: a.example/0: the target begins with javascript:, and browsers do not follow such redirects",
      "items: a.example/1: the target begins with data:, and browsers do not follow such redirects",
      "items: a.example/2: the target begins with javascript:, and browsers do not follow such redirects",
    ]);
  });

  test("values that the service stores are taken, the longest and the narrowest too", async () => {
    const name = `${"a".repeat(63)}.example`;
    const kinds = { ip: ["2001:db8::1", "2001:db8::/96"], asn: [0, 4_294_967_295], hostname: [name, `*.${name}`] };
    for (const [kind, items] of Object.entries(kinds)) {
      list = new ManagedResource<ListState>("RulesList", service, `urn:${kind}`);
      const args = { accountId, name: kind, kind, items };
      await list.up(args);
      await list.refresh();
      expect(list.run.notes).toEqual([]);
      await list.settled(args);
    }
  });

  test("redirects and hostnames keep what differs from the service's defaults", async () => {
    const moved = { target: "https://b.example/", status: 302, comment: "moved" };
    const args = redirects(
      { source: "Example.com/old", target: "https://example.com/new", status: 301, preserveQueryString: true },
      { source: "https://Bücher.example/", ...moved, subpathMatching: false },
    );
    await list.up(args);
    expect(stateOf().items).toEqual({
      "example.com/old": { target: "https://example.com/new", preserveQueryString: true },
      "https://xn--bcher-kva.example/": moved,
    });
    await list.settled(args);
  });

  test("switches that the service turns on by itself can be turned off", async () => {
    const move = { source: "example.com/a/", target: "https://example.com/b/", subpathMatching: true };
    const moved = (preservePathSuffix: boolean) => redirects({ ...move, preservePathSuffix });
    const sent = async () => {
      const path = `${root()}/${stateOf().listId}/items`;
      return (await service.ask<{ redirect: object }[]>("GET", path)).map(({ redirect }) => redirect);
    };
    await list.up(moved(false));
    expect(await sent()).toMatchObject([{ preserve_path_suffix: false }]);
    await list.settled(moved(false));
    expect((await list.preview(moved(true))).plans).toEqual([expect.stringContaining("+0 ~1 -0, 0 unchanged; ")]);
    await list.up(moved(true));
    await service.ask("PUT", `${root()}/${stateOf().listId}/items`, [
      { redirect: { ...(await sent())[0], preserve_path_suffix: true } },
    ]);
    await list.settled(moved(true));
  });

  test("a redirect source without a path is the one with a slash, in the program and at the service", async () => {
    const moves = (...sources: string[]) =>
      redirects(...sources.map((source) => ({ source, target: "https://example.com/new" })));
    await list.up(moves("Old.example.com", "https://old.example.com"));
    expect(Object.keys(stateOf().items).sort()).toEqual(["https://old.example.com/", "old.example.com/"]);
    await list.settled(moves("old.example.com/", "https://old.example.com"));
    expect(await refused(moves("old.example.com", "old.example.com/"))).toMatch(
      /is old[.]example[.]com\/, as items\[0\] is/,
    );
  });

  test("items that are not known yet are not compared, and neither refused nor reported", async () => {
    const args = office(["192.0.2.7", UNKNOWN]);
    expect((await list.preview(args)).notes).toEqual([]);
    await list.up(office(["192.0.2.7"]));
    const { action, notes } = await list.preview(args);
    expect([action, notes]).toEqual(["update", []]);
  });
});

describe("a list that is replaced", () => {
  test.each([
    ["shared", { ownership: "shared" }],
    ["kept", { onDelete: "keep" }],
  ])("by one of another kind is refused if a delete leaves it: %s", async (_, more) => {
    await list.up(office(["192.0.2.7"], more));
    const args = { ...numbers(), ...more };
    expect(await refused(args)).toMatch(/the kind of the list office cannot be changed: a delete leaves the list/);
    await expect(list.up(args)).rejects.toThrow("cannot be changed");
    expect(await itemsAt()).toEqual({ "192.0.2.7": "" });
  });

  test("by one of another kind names the rules that use it at preview", async () => {
    const zoneId = await service.zone();
    await list.up(office(["192.0.2.7"]));
    const rule = { action: "block", expression: "ip.src in $office", description: "Theirs" };
    const entrypoint = { name: "default", kind: "zone", phase: "http_request_firewall_custom", rules: [rule] };
    const { id } = await service.create(`zones/${zoneId}`, entrypoint);
    const text = await refused(numbers());
    expect(text).toContain("the kind of the list office changes, so it is deleted before the new one is created");
    expect(text).toContain('"Theirs" of http_request_firewall_custom in the zone');
    expect(writesIn(await service.requests())).toEqual([]);
    await service.ask("DELETE", `/zones/${zoneId}/rulesets/${id}`);
    await list.preview(numbers());
  });

  test("by one of another kind is deleted first, because names are unique", async () => {
    await list.up(office(["192.0.2.7"]));
    const { inputs, state, id } = list.kept ?? { inputs: {}, state: {}, id: "" };
    const { inputs: news } = await list.plan(numbers(), false);
    expect(await KINDS.RulesList().diff(list.session, id, { ...state }, news)).toMatchObject({
      kind: "replace",
      replaces: ["kind"],
      deletesFirst: true,
    });
    expect(inputs).toMatchObject({ kind: "ip" });
    await list.up(numbers());
    expect(await service.ask("GET", root())).toMatchObject([{ name: "office", kind: "asn", num_items: 1 }]);
  });

  test("by a resource of another name in the program stays, and belongs to that one on request", async () => {
    await list.up(office(["192.0.2.7"]));
    const renamed = new ManagedResource<ListState>("RulesList", service, "urn:renamed");
    const wanted = office(["192.0.2.8"], { onExisting: "replace" });
    expect(await failureOf(renamed.up(office(["192.0.2.8"])))).toContain("192.0.2.7");
    expect(writesIn((await renamed.up(wanted)).requests)).toHaveLength(1);
    await renamed.deleteOther(list.kept?.id ?? "", stateOf());
    await renamed.settled(wanted);
    await renamed.destroy();
    expect(await service.ask("GET", root())).toEqual([]);
  });

  test("by one of another name is deleted last", async () => {
    await list.up(office(["192.0.2.7"]));
    expect((await list.up(office(["192.0.2.7"], { name: "offices" }))).action).toBe("replace");
    expect(await service.ask("GET", root())).toMatchObject([{ name: "offices", num_items: 1 }]);
  });
});

describe("a delete", () => {
  test("of a list that rules use is refused, and says so", async () => {
    await list.up(office(["192.0.2.7"]));
    const zone = await service.zone();
    const rules = [{ action: "block", expression: "ip.src in $office" }];
    const phase = "http_request_firewall_custom";
    await service.create(`zones/${zone}`, { kind: "zone", name: "default", phase, rules });
    await expect(list.destroy()).rejects.toThrow(
      /office cannot be deleted: 1 ruleset uses it:\n {2}rule ".*" of http_request_firewall_custom in the zone /,
    );
    expect(Object.keys(await itemsAt())).toEqual(["192.0.2.7"]);
  });

  test("with empty or keep leaves the list", async () => {
    await list.up(office(["192.0.2.7"], { onDelete: "empty" }));
    const { listId } = stateOf();
    await list.destroy();
    expect(await itemsAt(listId)).toEqual({});
    await list.up(office(["192.0.2.7"], { onDelete: "keep" }));
    expect(await list.destroy()).toEqual([]);
    expect(await itemsAt(listId)).toEqual({ "192.0.2.7": "" });
  });
});

describe("a file of items", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  const file = (name: string, text: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const fromFile = (itemsFile: string): object => ({ accountId, name: "office", kind: "ip", itemsFile });

  test("is read at every run: a value on each line with its comment, or JSON", async () => {
    const lines = fromFile(file("office.txt", "# offices\n192.0.2.7   # Berlin\r\n\n2001:DB8::/32\n"));
    await list.up(lines);
    expect(await itemsAt()).toEqual({ "192.0.2.7": "Berlin", "2001:db8::/32": "" });
    await list.settled(lines);
    const json = fromFile(file("office.json", '["2001:db8::/32", {"value": "192.0.2.7", "comment": "Berlin"}]'));
    expect(await list.up(json)).toMatchObject({ action: "none", requests: [] });
  });

  test("CSV has a header with the names of fields, and quotes", async () => {
    const text =
      "\ufeffsource,target,status,preserveQueryString,comment\r\n" +
      'example.com/a,https://example.com/b,302,TRUE,"one, two"\n\nexample.com/c,https://example.com/d,,,\n';
    const args = { accountId, name: "moves", kind: "redirect", itemsFile: file("moves.csv", text) };
    await list.up(args);
    expect(stateOf().items).toEqual({
      "example.com/a": { target: "https://example.com/b", status: 302, preserveQueryString: true, comment: "one, two" },
      "example.com/c": { target: "https://example.com/d" },
    });
    await list.settled(args);
  });

  test.each([
    ["a.csv", "value,coment\n192.0.2.7,x\n", /a[.]csv:2: coment does not exist for items of the kind ip/],
    ["a.csv", 'value\n192.0.2.1\n"192.0.2.7\n', /a[.]csv is not valid CSV: Quote Not Closed/],
    ["a.txt", "192.0.2.7\n192.0.2.300\n", /a[.]txt:2: must be an IP address/],
    ["a.txt", "\ufeff\n", /a[.]txt is empty: for a list without items, write a line that begins with # into it/],
    ["a.txt", "192.0.2.7\n\n192.0.2.7/32", /a[.]txt:3: is 192[.]0[.]2[.]7, as [^ ]*a[.]txt:1 is/],
    ["a.csv", "192.0.2.7\n", /itemsFile: the first line of [^ ]*a[.]csv must name the fields, such as value,comment/],
    ["a.csv", "value;comment\n192.0.2.7;x\n", /the first line of [^ ]*a[.]csv must name the fields/],
    ["a.csv", "value,value\n192.0.2.7,192.0.2.8\n", /the first line of [^ ]*a[.]csv names the field value twice/],
    ["a.csv", "", /the first line of [^ ]*a[.]csv must name the fields/],
    ["a.json", '[{"value": "192.0.2.7", "coment": "x"}]', /a[.]json\[0\] \(line 1\): coment does not exist/],
    [
      "a.json",
      '[\n  "192.0.2.7",\n\n  {"comment": "[{,\\"",\n "value": 7},\n 8]',
      /a[.]json\[1\] \(line 4\): value must be/,
    ],
    [
      "a.json",
      '["192.0.2.7"\n, "192.0.2.7"]',
      /a[.]json\[1\] \(line 2\): is 192[.]0[.]2[.]7, as [^ ]*a[.]json\[0\] \(line 1\) is/,
    ],
    ["a.json", '{"a": 1}', /a[.]json must contain an array/],
    ["a.json", "[", /a[.]json is not valid JSON/],
    ["a.json", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, /a[.]json\[0\] \(line 1\): must be an IP address/],
    ["a.txt", "1".repeat(100_000), /a[.]txt:1: must be an IP address.{0,200}$/],
    [
      "a.csv",
      Buffer.from("value,comment\n192.0.2.7,M\xfcnchen\n", "latin1"),
      /a[.]csv is not UTF-8, .* save it as UTF-8/,
    ],
  ])("%s with a mistake is refused with its line", async (name, text, expected) => {
    expect(await refused(fromFile(file(name, text)))).toMatch(expected);
  });

  test("may begin with a byte order mark, and end with any case of its extension", async () => {
    await list.up(fromFile(file("office.JSON", '\ufeff["192.0.2.7"]')));
    expect(await itemsAt()).toEqual({ "192.0.2.7": "" });
    for (const [name, text] of [
      ["office.txt", "\ufeff192.0.2.7\n"],
      ["office.CSV", "\ufeffvalue,comment\n192.0.2.7,\n"],
    ] as const)
      expect(await list.up(fromFile(file(name, text)))).toMatchObject({ action: "none", requests: [] });
  });

  test.each([
    ["a.csv", "value,comment\r192.0.2.7,Berlin\r192.0.2.8,\r"],
    ["a.txt", "192.0.2.7 # Berlin\r192.0.2.8"],
  ])("%s may have line ends of carriage returns alone, without losing items", async (name, text) => {
    const { checked } = await list.preview(fromFile(file(name, text)));
    expect(checked.items).toEqual({ "192.0.2.7": "Berlin", "192.0.2.8": "" });
  });

  test("a comment in CSV is a text, whatever it says", async () => {
    const { checked } = await list.preview(fromFile(file("a.csv", "value,comment\n192.0.2.7,true\n192.0.2.8,301\n")));
    expect(checked.items).toEqual({ "192.0.2.7": "true", "192.0.2.8": "301" });
  });

  test("a line with many spaces is read at once, and a comment may contain anything", async () => {
    const text = `192.0.2.7${" ".repeat(1 << 20)}#${" ".repeat(1 << 20)}a # \u2028b  \n`;
    const { checked } = await list.preview(fromFile(file("a.txt", text)));
    expect(checked.items).toEqual({ "192.0.2.7": "a # \u2028b" });
    const two = fromFile(file("b.txt", `${" ".repeat(1 << 20)}192.0.2.7 192.0.2.8`));
    expect(await refused(two)).toMatch(
      /b[.]txt:1: must be an IP address .* "192[.]0[.]2[.]7 192[.]0[.]2[.]8" is neither/,
    );
  });

  test.each([
    ["CSV with nothing but its header", "office.csv", "value,comment\n"],
    ["a text with nothing but a comment", "office.txt", "# nobody\n"],
    ["an empty array", "office.json", "[]"],
  ])("%s has no items", async (_, name, text) => {
    await list.up(fromFile(file(name, text)));
    expect(await itemsAt()).toEqual({});
  });

  test("with a mistake on every line is refused with the first of them and the number of others", async () => {
    const names = Array.from({ length: 300 }, (_, at) => `a${String(at)}`);
    const text = await refused(fromFile(file("names.txt", names.join("\n"))));
    expect(text).toMatch(/names[.]txt:1: [^]*names[.]txt:20: .*\n?.*itemsFile: has 280 more mistakes/);
    expect(text).not.toContain("names.txt:21:");
  });

  test("that is missing or a folder is refused by its name", async () => {
    expect(await refused(fromFile(join(folder, "no.txt")))).toMatch(/itemsFile: \S+no\.txt cannot be read: ENOENT/);
    expect(await refused(fromFile(folder))).toContain(`itemsFile: ${folder} cannot be read: EISDIR`);
  });
});
