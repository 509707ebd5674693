import { cpSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { ProjectStack } from "./support/project.js";

/* The example with a file beside its program: its folder is the project. */

describe("the example bulk-redirects", () => {
  let emulator: Emulator;
  let service: Service;
  const project = new ProjectStack();
  // `npm run types` has checked them.
  project.checksTypes = false;
  beforeAll(async () => {
    emulator = await startEmulator();
    service = new Service(emulator);
    cpSync(join(__dirname, "..", "..", "examples", "bulk-redirects"), project.folder, { recursive: true });
    await project.init(emulator.url);
    await project.mustRun("config", "set", "accountId", await service.account());
  });
  afterAll(async () => {
    project.close();
    await emulator.close();
  });
  const run = async (...args: string[]): Promise<{ text: string; requests: string[] }> => {
    await service.forget();
    const text = await project.mustRun(...args);
    return { text, requests: await service.requests() };
  };

  test("redirects 700 rows with three writes, and sends nothing while the file is the same", async () => {
    const up = await run("up", "--yes", "--skip-preview");
    expect(up.text).toMatch(/redirects: 700/);
    expect(writesIn(up.requests).map((request) => request.replace(/[0-9a-f]{32}/g, "<id>"))).toEqual([
      "POST /accounts/<id>/rules/lists",
      "POST /accounts/<id>/rules/lists/<id>/items",
      "POST /accounts/<id>/rulesets",
    ]);
    expect((await run("up", "--yes", "--skip-preview")).requests).toEqual([]);
  });

  test("shows a row that changes, and stops at a file that was cut off", async () => {
    const text = project.read("redirects.csv");
    project.write("redirects.csv", text.replace("shop.example.com/faq,", "shop.example.com/help,"));
    const edited = await run("preview", "--diff");
    expect(edited.text).toContain("plan: +0 ~1 -0, 699 unchanged; sends ");
    expect(edited.text).toMatch(/~ old-shop\.example\.com\/pages\/faq: \{\s+~ target: "\S+\/faq" => "\S+\/help"/);
    project.write("redirects.csv", text.split("\n").slice(0, 300).join("\n"));
    const cut = await project.run("preview");
    expect([cut.ok, cut.text]).toEqual([false, expect.stringContaining("removes 401 of 700 items, 57 percent")]);
  });
});
