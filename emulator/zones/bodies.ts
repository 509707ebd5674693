import { bodyCheck, boolean, nonEmpty, listOf, object, oneOf } from "../body.js";
import { PLANS } from "./model.js";

const TYPES = oneOf("full", "partial", "secondary", "internal");
const CODES = [["", 1000]] as const;

export const checkNewZone = bodyCheck(
  object({ name: { ...nonEmpty, maxLength: 253 }, account: object({ id: nonEmpty }, ["id"]), type: TYPES }, ["name"]),
  [["/name", 1099], ...CODES],
);
export const checkZone = bodyCheck(
  object({
    paused: boolean,
    type: TYPES,
    vanity_name_servers: listOf(nonEmpty),
    plan: object({ id: oneOf(...PLANS) }, ["id"]),
  }),
  CODES,
);
export const checkSubscription = bodyCheck(
  object(
    {
      rate_plan: object({ id: oneOf(...PLANS) }, ["id"]),
      frequency: oneOf("weekly", "monthly", "quarterly", "yearly"),
    },
    ["rate_plan"],
  ),
  CODES,
);
