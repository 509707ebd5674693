import { ADMIN, file, none, options, service, UNKNOWN, type Call, type Content, type Subject } from "./conditions.js";
import { preview } from "./rules.js";

/* The gates of rollouts. */

const inputs = preview(ADMIN).steps[0]?.newState;
const edited = (expression: unknown) => preview(expression, { op: "update", before: { oldState: inputs } });
/** A `pulumi` that does what a plan asks of it, and prints a preview. */
const pulumi = (shown: object | string): string =>
  `#!/bin/sh\ncase "$1" in preview) ${typeof shown === "string" ? shown : `printf %s '${JSON.stringify(shown)}'`} ;; esac\n`;
const fleet = (zones: object, waves: readonly object[] = [{ name: "all" }]) => ({ zones, waves });
const planned: Call = {
  args: ["fleet", "plan", "--file", "@fleet.yaml", "--plan", "@plan", "--fail-on", "weakened"],
  env: { PATH: `@bin` },
  files: {
    "Pulumi.yaml": { name: "shop", runtime: "nodejs" },
    "fleet.yaml": fleet({ include: ["shop.test"] }),
    "bin/pulumi": pulumi(preview(ADMIN, { op: "same", before: { oldState: inputs } })),
  },
};
const withFile = (call: Call, name: string, content: Content): Call => ({
  ...call,
  files: { ...call.files, [name]: content },
});
const withEnv = (call: Call): Call => ({ ...call, env: { ...planned.env, ...call.env } });
const zones = service(planned, {
  part: "/zones$",
  others: withFile(planned, "bin/pulumi", pulumi("echo no >&2; exit 1")),
});
const slow = none("it is asked again for some seconds, and then as where the token is wrong");

const askedByOthers = none("a gate of a wave asks a command of this list");
const gate: Call = {
  args: ["fleet", "gate", "canary", "--plan", "@plan"],
  files: {
    "plan/plan.json": ({ plan, url }) => plan(url)["plan.json"],
    "plan/shards/s001.json": ({ plan, url }) => plan(url)["shards/s001.json"],
    "plan/results/s001.json": ({ plan, url }) => plan(url)["results/s001.json"],
  },
};

export const FLEET: readonly Subject[] = [
  {
    gate: "fleet plan --fail-on",
    good: planned,
    cases: {
      "no credentials": withEnv(zones["no credentials"]),
      "a wrong token": withEnv(zones["a wrong token"]),
      "a part that is forbidden": zones["a part that is forbidden"],
      "the service is down": slow,
      "an error of the service": slow,
      "a wrong address": withEnv(zones["a wrong address"]),
      "an answer that is not JSON": zones["an answer that is not JSON"],
      "a zone that does not exist": withFile(planned, "fleet.yaml", fleet({ include: ["nowhere.test"] })),
      "partial results": withFile(planned, "bin/pulumi", pulumi("echo no >&2; exit 1")),
      ...file(planned, "fleet.yaml"),
      "an empty list": withFile(planned, "fleet.yaml", fleet({ include: ["shop.test"] }, [])),
      "a file of another version": withFile(planned, "fleet.lock.json", { version: 99 }),
      "a value that is not known": withFile(planned, "bin/pulumi", pulumi(edited(UNKNOWN))),
      "a secret value": withFile(planned, "bin/pulumi", pulumi(edited("[secret]"))),
      ...options(planned, "--json", false),
    },
  },
  {
    gate: "fleet gate",
    good: gate,
    cases: {
      ...service(gate, {
        part: "accounts/[0-9a-f]+/rulesets$",
        others: withFile(gate, "plan/results/s001.json", undefined),
      }),
      "the service is down": askedByOthers,
      "an error of the service": askedByOthers,
      "a wrong address": { ...gate, args: [...gate.args, "--base-url", "http://127.0.0.1:9/client/v4"] },
      "a zone that does not exist": { ...gate, args: gate.args.map((arg) => (arg === "canary" ? "nowhere" : arg)) },
      ...file(gate, "plan/plan.json"),
      "an empty list": withFile(gate, "plan/shards/s001.json", { version: 1, zones: [] }),
      "a file of another version": withFile(gate, "plan/plan.json", ({ plan, url }) =>
        (plan(url)["plan.json"] ?? "").replace(/"version": ?3/, '"version":2'),
      ),
      "a value that is not known": withFile(gate, "plan/results/s001.json", "{}"),
      "a secret value": none("a gate reads what is deployed"),
      ...options(gate, "--json", false),
    },
  },
];
