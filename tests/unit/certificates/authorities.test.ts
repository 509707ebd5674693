import {
  authorityName,
  findApplicableCaa,
  findForbiddingCaa,
  isAllowedBy,
  hostnameAndParents,
  resolveDefaultAuthority,
  type CaaRecord,
} from "../../../core/certificates/authorities.js";
import { bundleMethodOf, describeBundleMethod } from "../../../core/certificates/bundle.js";
import { outcomeOf, recordLines } from "../../../core/certificates/status.js";

const resolver = (records: Record<string, CaaRecord[]>) => (name: string) => Promise.resolve(records[name] ?? []);

test("the closest name with CAA records decides", async () => {
  const records = { "b.test": [{ issue: "letsencrypt.org" }], "a.b.test": [{ issue: "pki.goog; x=y" }] };
  expect(await findForbiddingCaa("c.a.b.test", "google", resolver(records))).toBeUndefined();
  expect(await findForbiddingCaa("c.b.test", "google", resolver(records))).toEqual({
    name: "b.test",
    allowed: ["letsencrypt.org"],
  });
  expect(await findForbiddingCaa("c.b.test", "lets_encrypt", resolver(records))).toBeUndefined();
  expect(await findForbiddingCaa("c.d.test", "google", resolver(records))).toBeUndefined();
});

test("CAA records without an issue tag, and unknown authorities, forbid nothing", async () => {
  expect(await findForbiddingCaa("a.b.test", "google", resolver({ "b.test": [{}] }))).toBeUndefined();
  expect(await findForbiddingCaa("a.b.test", "zerossl", resolver({ "b.test": [{ issue: ";" }] }))).toBeUndefined();
  expect(await findForbiddingCaa("a.b.test", "toString", resolver({ "b.test": [{ issue: ";" }] }))).toBeUndefined();
  expect(authorityName("constructor")).toBe("constructor");
  expect(await findForbiddingCaa("a.b.test", "", resolver({ "b.test": [{ issue: ";" }] }))).toBeUndefined();
});

test("a wildcard follows issuewild where there is one", async () => {
  const records = { "b.test": [{ issue: "letsencrypt.org" }, { issuewild: "pki.goog" }] };
  expect(await findForbiddingCaa("*.b.test", "google", resolver(records))).toBeUndefined();
  expect(await findForbiddingCaa("b.test", "google", resolver(records))).toMatchObject({ name: "b.test" });
});

test("a failed lookup forbids nothing", async () => {
  const resolve = (name: string) =>
    name === "a.b.test" ? Promise.reject(new Error("no network")) : Promise.resolve([{ issue: ";" }]);
  expect(await findForbiddingCaa("a.b.test", "google", resolve)).toBeUndefined();
});

test("a failed lookup of a nearer name decides, and is named", async () => {
  const resolve = (name: string) =>
    name === "b.test"
      ? Promise.reject(new Error("ESERVFAIL"))
      : Promise.resolve(name === "test" ? [{ issue: ";" }] : []);
  expect(await findApplicableCaa("a.b.test", resolve)).toEqual({ kind: "failed", name: "b.test", reason: "ESERVFAIL" });
  const records = [{ issue: ";" }];
  expect(await findApplicableCaa("a.c.test", resolve)).toEqual({ kind: "found", name: "test", records });
  expect(await findApplicableCaa("a.c.example", resolve)).toEqual({ kind: "none" });
});

test("the default is the more compatible authority, or the fallback where a CAA record forbids it", async () => {
  const records = { "b.test": [{ issue: "letsencrypt.org" }], "c.test": [{ issue: "digicert.com" }] };
  expect(await resolveDefaultAuthority("a.a.test", resolver(records))).toEqual({ authority: "google" });
  const fallback = await resolveDefaultAuthority("a.b.test", resolver(records));
  expect(fallback).toEqual({
    authority: "lets_encrypt",
    forbidden: { name: "b.test", allowed: ["letsencrypt.org"] },
  });
  expect([isAllowedBy("lets_encrypt", { name: "b.test", allowed: ["letsencrypt.org"] })]).toEqual([true]);
  const neither = await resolveDefaultAuthority("a.c.test", resolver(records));
  expect(isAllowedBy("lets_encrypt", neither.forbidden ?? { name: "", allowed: ["letsencrypt.org"] })).toBe(false);
  expect(await resolveDefaultAuthority("a.b.test", () => Promise.reject(new Error("no network")))).toEqual({
    authority: "google",
  });
});

test("lists the names above a hostname", () => {
  expect(hostnameAndParents("*.a.b.test")).toEqual(["a.b.test", "b.test", "test"]);
});

test("accepts both names of each bundle method", () => {
  const words = ["compatible", "modern", "user-defined", "ubiquitous", "optimal", "force", "Modern ", "user_defined"];
  expect(words.map(bundleMethodOf)).toEqual([
    "ubiquitous",
    "optimal",
    "force",
    "ubiquitous",
    "optimal",
    "force",
    "optimal",
    "force",
  ]);
  expect([bundleMethodOf("constructor"), describeBundleMethod("force"), describeBundleMethod("new")]).toEqual([
    undefined,
    "user-defined",
    "new",
  ]);
});

test("classifies statuses, and lists what to publish", () => {
  expect(["active", "pending_issuance", "issuance_timed_out", "something_new"].map(outcomeOf)).toEqual([
    "active",
    "waiting",
    "failed",
    "waiting",
  ]);
  const records = [
    { txtName: "_acme.a", txtValue: "v" },
    { cname: "c.a", cnameTarget: "t" },
    { httpUrl: "http://a/x", httpBody: "b" },
    { emails: ["a@a", "b@a"] },
  ];
  expect(recordLines(records)).toEqual([
    "TXT _acme.a = v",
    "CNAME c.a -> t",
    "HTTP http://a/x must return b",
    "e-mail to a@a, b@a: follow the link in it",
  ]);
});
