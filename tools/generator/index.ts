// Turns findings into the text of a program. Pure, so that the same findings produce the same text.
export {
  listLabel,
  rulesetLabel,
  scopeLabel,
  UPLOADED,
  type FoundHostname,
  type FoundList,
  type FoundRule,
  type FoundRuleset,
  type FoundScope,
  type Inventory,
  type LeftOut,
} from "./inventory.js";
export { type ForeignResource } from "./sources/foreign.js";
export { handOverSteps } from "./sources/hand-over-steps.js";
export { inventoryOf, selectByPhases, readForeign } from "./sources/inventory.js";
export { generateProgram, type GeneratedFile, type GeneratedProgram } from "./program/program.js";
export { legacyLeftOut, legacyOf } from "./sources/legacy.js";
export { addMigrations } from "./legacy/inventory.js";
export { migrateZone } from "./legacy/migrate.js";
export type { LegacyZone } from "./legacy/zone.js";
export { verifyZone } from "./legacy/verify.js";
export { importFile } from "./import-file.js";
export { projectFiles, projectName } from "./program/project.js";
