import type { Input } from "@pulumi/pulumi";
import type { Phase } from "../../../core/model/generated/rule.js";

/**
 * A name that a program gives. Where the compiler knows it, it must be one that this version lists: the compiler refuses a
 * misspelled one, and names the listed one that is most like it. A `string` may be any, also one that is newer than this version:
 * `"newer_name" as string`.
 */
type Listed<Given extends string, Known extends string> = string extends Given
  ? Given
  : Given extends Known
    ? Given
    : Known;

export interface SpelledPhase<P extends string> {
  readonly phase?: Input<Listed<P, Phase> | undefined>;
}

/** Arguments with either a zone or an account. */
export type InZoneOrAccount<Args> = Omit<Args, "zoneId" | "accountId"> &
  (
    | {
        /** Zone; excludes `accountId`. Changing it replaces the resource. */
        readonly zoneId: Input<string | undefined>;
        readonly accountId?: undefined;
      }
    | {
        /** Account; excludes `zoneId`. Changing it replaces the resource. */
        readonly accountId: Input<string | undefined>;
        readonly zoneId?: undefined;
      }
  );
