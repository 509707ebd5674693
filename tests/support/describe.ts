import type { Description } from "../../provider/engine/description.js";
import { findKind } from "../../provider/kinds/index.js";

/** The kinds that summaries of previews know. */
export const describeKind = (type: string): Description | undefined => findKind(type)?.description;
