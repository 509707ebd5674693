import { accounts } from "./accounts/routes.js";
import { certificates } from "./certificates/routes.js";
import { dns } from "./dns/routes.js";
import { edge } from "./edge/routes.js";
import { legacy } from "./legacy/routes.js";
import { lists } from "./lists/routes.js";
import { previousWaf } from "./previous-waf/routes.js";
import { rulesets } from "./rulesets/routes.js";
import { settings } from "./settings/routes.js";
import { tracer } from "./tracer/routes.js";
import { zones } from "./zones/routes.js";

/**
 * All groups of operations, in the order in which their seeds are created. To add one, create a folder and add a line here:
 * the routes, the type of the seed and its schema are derived from this list.
 */
export const GROUPS = [
  accounts,
  zones,
  settings,
  dns,
  lists,
  rulesets,
  previousWaf,
  legacy,
  certificates,
  edge,
  tracer,
] as const;
