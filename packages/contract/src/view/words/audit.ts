import { actionInWords } from "./enforcement.ts";
import { type Json, own, text, worded } from "./json.ts";
import { verdictInWords } from "./verdict.ts";

/** One thing that somebody may want to look up. */
export interface AuditLine {
  readonly at: string | null;
  /** What kind of thing it was. */
  readonly title: string;
  readonly text: string;
  /** The question that it is about; null where it is about none. */
  readonly question: string | null;
  /** Whatever else it says, as it is called. */
  readonly rest: Json;
}

const TITLES: Readonly<Record<string, string>> = {
  enforced: "A limit was reached",
  lost: "Its process was lost",
  denied: "Denied",
  blocked: "Blocked",
  asked: "A person was asked",
  decided: "Decided",
  accepted: "Accepted",
  verdict: "A call whose process was lost",
  degraded: "Another provider stood in",
  contract: "Not proven",
};

const DECIDED: Readonly<Record<string, (actor: string, asked: string) => string>> = {
  approved: (actor, asked) => `${actor} said yes to ${asked}`,
  edited: (actor, asked) => `${actor} said yes, with changes, to ${asked}`,
  denied: (actor, asked) => `${actor} said no to ${asked}`,
  expired: (actor, asked) => `${asked} got no answer, and ${actor} ended the wait`,
  moved: (actor, asked) => `${actor} withdrew what ${asked} asked: it holds no more`,
};

/** How the summary of each kind begins, where that is a word for programs. */
const TEXTS: Readonly<Record<string, (summary: string) => string>> = {
  enforced: (summary) =>
    summary.replace(
      /^(\w+): ([^]*)$/,
      (_, action: string, reason: string) => `${actionInWords(action)}: ${reason}`,
    ),
  decided: (summary) => {
    const [, actor = "", decision = "", asked = ""] = /^([^]*) (\w+) (\S+)$/.exec(summary) ?? [];
    return own(DECIDED, decision)?.(actor, asked) ?? summary;
  },
  verdict: (summary) =>
    summary.replace(
      /^(\S+): (\w+)\. /,
      (_, tool: string, verdict: string) => `${tool}: ${verdictInWords(verdict)}. `,
    ),
  degraded: (summary) => summary.replace(/^(\w+): /, (_, kind: string) => `${worded(kind)}: `),
  blocked: (summary) => summary.replace(/^(\w+): /, (_, subject: string) => `${worded(subject)}: `),
};

/** A row of a health snapshot's `audit`, for people. What is not known here is shown as it is called. */
export function auditInWords(row: Json): AuditLine {
  const { at, kind, summary, ref, ...rest } = row;
  const name = text(kind) ?? "";
  const said = text(summary) ?? "";
  const id = text(ref);
  const question = id !== null && id.startsWith("apr_") ? id : null;
  return {
    at: text(at),
    title: own(TITLES, name) ?? worded(name),
    text: own(TEXTS, name)?.(said) ?? said,
    question,
    rest: question !== null || id === null ? rest : { call: id, ...rest },
  };
}
