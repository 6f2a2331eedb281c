import { call } from "../lib/api.ts";
import { contentIn, type Place } from "./artifact.ts";

/** All of it. Undefined where the event does not have it. */
export async function contentOf(place: Place, signal: AbortSignal): Promise<unknown> {
  if ("sha256" in place) {
    const bytes = await call("getBlob", { params: place, signal });
    return new TextDecoder().decode(bytes);
  }
  const { id, after } = place;
  const query = { face: "runtime", after, limit: 1 } as const;
  const { events } = await call("listEvents", { params: { id }, query, signal });
  return contentIn(events[0]);
}
