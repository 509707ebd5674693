import type { Seed } from "../../../emulator/index.js";
import type { Description } from "../../../provider/engine/description.js";
import type { LifecycleEvents, Steps } from "../steps.js";

/** What exists in `SEED` before a resource of any kind is created. */
export interface World {
  readonly zoneId: string;
  readonly otherZoneId: string;
  readonly accountId: string;
  /** IDs of custom rulesets of the account. */
  readonly rulesetIds: readonly [string, string];
  readonly hostnameIds: readonly [string, string];
}

export const ZONE = "old.example.com";
export const OTHER_ACCOUNT = "f".repeat(32);
export const SEED: Seed = {
  accounts: [{ name: "Example Ltd" }, { name: "Other Ltd", id: OTHER_ACCOUNT }],
  zones: [
    {
      name: ZONE,
      previousWaf: {},
      certificates: {
        hostnames: ["one.test", "two.test"].map((hostname) => ({ hostname, certificateAuthority: "lets_encrypt" })),
        totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
      },
    },
    { name: "other.example.com", certificates: { hostnames: [{ hostname: "one.test" }] } },
  ],
};

export type Values = Readonly<Record<string, unknown>>;

/** The arguments before and after a change that is more than another value of one argument. */
export class Pair {
  constructor(
    readonly before: Values,
    /** Given the state before the change. */
    readonly after: Values | ((state: Values) => Values),
  ) {}
}

/** What the tests of all kinds ask about one. */
export interface KindCase<Name extends string = string> {
  readonly kind: string;
  /** Its life: the messages of a preview, the requests and the state of an up, and changes by others. */
  readonly steps: Steps;
  readonly events: LifecycleEvents;
  /** What exists before its steps. @default an empty zone */
  readonly seed?: Seed;
  /** The arguments of a resource, and another value for each argument that there is. */
  readonly base: (world: World) => Values;
  readonly changes: (world: World) => Readonly<Record<Name, unknown>>;
  /** The program whose state is recorded. @default the base */
  readonly recorded?: (world: World) => Values;
}

/** The compiler asks for a change of each argument. */
export function kindCase<D extends Description>(
  { type }: D,
  given: Omit<KindCase<keyof D["arguments"] & string>, "kind">,
): KindCase {
  return { kind: type, ...given };
}
