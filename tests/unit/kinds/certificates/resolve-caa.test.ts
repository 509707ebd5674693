import { caaResolver } from "../../../../provider/kinds/certificates/resolve-caa.js";

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

test("looks up each name once", async () => {
  const asked: string[] = [];
  const resolve = caaResolver((name) => {
    asked.push(name);
    return Promise.resolve([{ issue: "pki.goog" }]);
  });
  await Promise.all([resolve("a.test"), resolve("a.test"), resolve("b.test")]);
  expect(asked).toEqual(["a.test", "b.test"]);
});

test.each(["ENODATA", "ENOTFOUND"])("reads %s as no records", async (code) => {
  expect(await caaResolver(failing(code))("a.test")).toEqual([]);
});

test("goes on looking up names after errors with which a server answers, and after an answer", async () => {
  const codes = ["ETIMEOUT", "ETIMEOUT", "ESERVFAIL", "ETIMEOUT", "ETIMEOUT", "", "ETIMEOUT", "ETIMEOUT", "EREFUSED"];
  const asked: string[] = [];
  const resolve = caaResolver((name) => {
    const code = codes[asked.push(name) - 1] ?? "";
    return code === "" ? Promise.resolve([]) : failing(code)();
  });
  for (const index of codes.keys()) await resolve(`${String(index)}.test`).catch(() => undefined);
  expect(asked).toHaveLength(codes.length);
});

test("stops looking up names when the resolver does not answer", async () => {
  let asked = 0;
  const resolve = caaResolver(() => {
    asked += 1;
    return failing("ETIMEOUT")();
  });
  for (const name of ["a", "b", "c", "d", "e"]) await expect(resolve(name)).rejects.toThrow();
  expect(asked).toBe(3);
});
