import type { EventType } from "@fairlead/contract";
import { EVENT_TYPES, EVENTS, eventSchema } from "@fairlead/contract";
import { fieldRows, NOTE, page, table } from "./describe.ts";

/** docs/reference/events.md */
export function eventsPage(): string {
  const types = EVENT_TYPES.toSorted();
  return page(
    "# Events",
    NOTE,
    [
      "Every event of the log, from the catalogue in `packages/contract`. The fields below are the event's `data`;",
      "around it is the envelope `id seq stream at type v turn_id agent_id cause owner`.",
      "The frontend face shows `data` as `payload`; the runtime face shows its fields in camel case, an agent's",
      "inside `runtime.adapter.event`. A dash means that a face has no name for the event and leaves it out.",
    ].join("\n"),
    table(
      ["type", "frontend", "runtime", "tier"],
      types.map((type) => {
        const { faces, tier } = EVENTS[type];
        return [`[\`${type}\`](#${anchor(type)})`, name(faces.frontend), name(faces.runtime), tier];
      }),
    ),
    ...types.map(section),
  );
}

function section(type: EventType): string {
  const { v, owner, category, tier, persisted, faces, doc } = EVENTS[type];
  const schema = eventSchema(type);
  const facts = [
    `version ${v}`,
    `owner ${owner}`,
    category,
    `tier ${tier}`,
    persisted ? "stored" : "**not stored**",
    `frontend ${name(faces.frontend)}`,
    `runtime ${name(faces.runtime)}`,
  ];
  return [
    `## ${type}`,
    doc,
    facts.join(" · "),
    table(["field", "value", "required"], fieldRows(schema)),
    schema.additionalProperties === false ? "No other fields." : "Other fields are kept.",
  ].join("\n\n");
}

function name(text: string | null): string {
  return text === null ? "–" : `\`${text}\``;
}

/** As GitHub makes it from a heading. */
function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(".", "");
}
