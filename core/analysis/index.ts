// Analysis of rules and their combined effect: what programs import as `pulumi-rulesets/analysis`.
export { analyse, analyseFully, type AnalyseInput, type Analysis } from "./analyse.js";
export { compare, type CompareInput } from "./compare/compare.js";
export { byRank, rankOf, type Treatment } from "./compare/treatment.js";
export type {
  Certainty,
  Change,
  CompareVerdict,
  CompareWitness,
  Comparison,
  UndecidedChange,
} from "./compare/result.js";
export { isWithin, reachOf, type FilterWithLists, type Reach, type ReachInput } from "./reach.js";
export type { AnalysisFinding, Undecided } from "./checks/finding.js";
export type { RulePlace } from "../simulator/place.js";
export type { ListInput, ListsInput } from "../simulator/lists.js";
export type { RedirectInput } from "../simulator/redirect-list.js";
export type { RuleInput, RulesetInput } from "../simulator/ruleset-input.js";
export { weakensOf, type Weakens } from "./compare/result.js";
export { judge, type JudgedRule, type JudgeInput, type Judgement } from "./judgement/judge.js";
export { judgeRulesets, type RulesetsEdit } from "./judgement/rulesets.js";
export { changeReasons, type ChangeReason, type ListsEdit } from "./judgement/rule-change.js";
export { effectWords } from "./judgement/words.js";
export type { Order } from "./order/order.js";
export { prove, type Proof, type ProveInput } from "./invariants/prove.js";
export { SameForOthers } from "./invariants/at-host.js";
export type { Invariant, Open } from "./invariants/invariant.js";
export { isMet, type Met, type Requirement } from "./invariants/requirement.js";
