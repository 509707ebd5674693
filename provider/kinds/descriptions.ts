import type { Description } from "../engine/description.js";
import { KINDS } from "./index.js";

/** The descriptions of all kinds of resources. Importing this loads every kind. */
export const DESCRIPTIONS: readonly Description[] = Object.values(KINDS).map((load) => load().description);
