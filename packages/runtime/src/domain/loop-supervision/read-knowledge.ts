import type {
  ContextPerceptionDecision,
  Fact,
  InjectedContext,
  IntentDetectionDecision,
  MemoryRecallDecision,
} from "@fairlead/ahp";
import type { Effects } from "./effects.ts";
import { block, items } from "./render.ts";

export function readContext(decision: ContextPerceptionDecision, by: string): Effects["context_perception"] {
  switch (decision.decision) {
    case "allow":
      return { kind: "go", text: contextText(decision.injected_context, by) };
    case "refine": {
      const { refined_intent: intent, refined_target: target, scope_hints } = decision;
      return {
        kind: "refine",
        scope_hints,
        ...(intent === undefined ? {} : { intent }),
        ...(target === undefined ? {} : { target }),
      };
    }
    case "block":
      return { kind: "stop", reason: decision.reason };
  }
}

export function readMemory(decision: MemoryRecallDecision, by: string): Effects["memory_recall"] {
  switch (decision.decision) {
    case "allow":
      return {
        kind: "go",
        text: block("memory", by, [items("Facts", decision.injected_facts.map(factText))]),
      };
    case "block":
      return { kind: "stop", reason: decision.reason };
  }
}

export function readIntent(decision: IntentDetectionDecision): Effects["intent_detection"] {
  switch (decision.decision) {
    case "allow": {
      const { detected_intent: intent, confidence, target_hints: hints = {} } = decision;
      return { kind: "go", intent, confidence, hints };
    }
    case "block":
      return { kind: "stop", reason: decision.reason };
  }
}

function contextText(context: InjectedContext, by: string): string | undefined {
  const { facts, file_contents: files, project_summary: project, knowledge, suggestions } = context;
  return block("context", by, [
    project === undefined ? undefined : projectText(project),
    items("Facts", facts.map(factText)),
    items(
      "Files",
      files?.map(
        ({ path, snippet, relevance_score }) => `${path} (relevance ${relevance_score})\n${snippet}`,
      ),
    ),
    items("Knowledge", knowledge),
    items("Suggestions", suggestions),
  ]);
}

function projectText(project: NonNullable<InjectedContext["project_summary"]>): string {
  const { project_name, language, key_files = [], structure_description } = project;
  const inLanguage = language === undefined ? "" : ` (${language})`;
  const files = key_files.length === 0 ? "" : `\nKey files: ${key_files.join(", ")}`;
  return `Project: ${project_name}${inLanguage}\n${structure_description}${files}`;
}

function factText({ content, source, confidence }: Fact): string {
  return `${content} (${source}, confidence ${confidence})`;
}
