import { cli } from "./support.js";

const ZONE = ["--zone", "0".repeat(32)];
const PLACE = [...ZONE, "--phase", "http_ratelimit"];
const NOBODY = {
  CLOUDFLARE_API_TOKEN: "",
  CLOUDFLARE_API_KEY: "",
  CLOUDFLARE_EMAIL: "",
  RULESETS_API_TOKEN: "",
  RULESETS_API_KEY: "",
  RULESETS_EMAIL: "",
};

test.each<[string, string[], string]>([
  ["migration status", [], "specify zones with --zone"],
  ["migration check", ["--parallel", "0", ...ZONE], "--parallel must be a whole number"],
  ["migration plan", ["--json", "--markdown", ...ZONE], "--json and --markdown are mutually exclusive"],
  ["certificates report", [], "specify zones with --zone"],
  ["certificates report", ["--date", "today", ...ZONE], "--date must be a day"],
  ["report", [], "specify zones with --zone"],
  ["generate", [], "specify zones with --zone"],
  ["versions list", [], "specify either a zone with --zone"],
  ["versions show", ["1", ...ZONE], "specify either a ruleset with --ruleset"],
  ["versions show", ["x", ...PLACE], "x is not a version number"],
  ["versions diff", ["1", "x", ...PLACE], "x is not a version number"],
  ["versions delete", ["1"], "specify either a zone with --zone"],
  ["versions prune", ["--keep", "3"], "specify either a zone with --zone"],
  ["versions restore", ["x", ...PLACE], "x is not a version number"],
  ["versions restore", ["1", ...ZONE], "specify either a ruleset with --ruleset"],
  ["versions list", ["--base-url", "api.cloudflare.com", ...PLACE], "--base-url must be an address"],
  ["migration status", ["--requests-per-second", "0", ...ZONE], "--requests-per-second must be a number"],
])("%s %j names the wrong option before it asks for credentials", async (command, options, message) => {
  const { code, stderr } = await cli([...command.split(" "), ...options], NOBODY);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});
