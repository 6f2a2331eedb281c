import type { ConfirmationDecision, IdleDecision, RateLimitDecision } from "@fairlead/ahp";
import type { Effects } from "./effects.ts";
import { asks, waits } from "./waits.ts";

export function readRateLimit(decision: RateLimitDecision, by: string): Effects["rate_limit"] {
  switch (decision.decision) {
    case "retry":
      return waits(decision.retry_after_ms, "The provider's limit is reached.", by);
    case "queue":
      return { kind: "queue", reason: "The provider's limit is reached, and the turn waits in the queue." };
    case "skip":
      return { kind: "skip", reason: decision.reason };
  }
}

export function readConfirmation(decision: ConfirmationDecision, by: string): Effects["confirmation"] {
  switch (decision.decision) {
    case "approve":
      return { kind: "approve" };
    case "reject":
      return { kind: "reject", reason: decision.reason };
    case "escalate":
      return asks(undefined, undefined, by);
  }
}

export function readIdle(decision: IdleDecision, by: string): Effects["idle"] {
  switch (decision.decision) {
    case "allow":
      return { kind: "go" };
    case "defer":
      return { kind: "later", reason: decision.reason ?? `${by} asks to wait.` };
  }
}
