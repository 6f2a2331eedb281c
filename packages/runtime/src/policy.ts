// Rules and how they decide, without the engine: for tools that check, test and explain them.
export type { CaseResult, Cases, PolicyCase } from "./domain/policy/cases.ts";
export { readCases, runCase } from "./domain/policy/cases.ts";
export type { Compiled } from "./domain/policy/compile.ts";
export { compilePolicy } from "./domain/policy/compile.ts";
export { policyDecisionData } from "./domain/policy/decision-data.ts";
export { evaluatePolicy } from "./domain/policy/evaluate.ts";
export type { SourceText } from "./domain/policy/file/yaml-file.ts";
export type { Amounts, Budget, HistoryCounts, PolicyInput } from "./domain/policy/input.ts";
export { NO_BUDGET, NO_HISTORY, NO_STATS } from "./domain/policy/input.ts";
export type { Match, Outcome, PolicyDecision, RuleFault } from "./domain/policy/outcome.ts";
export type { Policy, Rule } from "./domain/policy/policy.ts";
export type { Problem, ProblemCode } from "./domain/policy/problem.ts";
export { decisionsOf, strictness } from "./domain/policy/strictness.ts";
export type { PolicyFilesOptions } from "./host/policy-files.ts";
export { DEFAULT_POLICIES, isCaseFile, isRuleFile, policyFiles, policyPaths } from "./host/policy-files.ts";
export type { PolicySource, PolicyText } from "./ports/policy-source.ts";
export type { OpenedPolicies, Policies, PoliciesOptions } from "./services/policies.ts";
export { openPolicies } from "./services/policies.ts";
