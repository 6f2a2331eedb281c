import { type Json, isObject } from "./json.ts";

interface Call {
  readonly index: unknown;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
  extra_content: unknown;
}

/** The calls of an answer while they come, each in pieces. */
export interface ChatCalls {
  /** False where the piece is none. */
  take(piece: unknown): boolean;
  /** In the order in which they began, each with an id of its own or none. */
  all(): Json[];
}

/**
 * A piece belongs to the call with its index. Servers that send none, or the same for all, send calls whole, or at least a name
 * with each that begins.
 */
export function createChatCalls(): ChatCalls {
  const calls: Call[] = [];

  function known(index: unknown, id: string | undefined, named: boolean): Call | undefined {
    if (index !== undefined) return calls.findLast((call) => call.index === index);
    if (id !== undefined) return calls.findLast((call) => call.id === id);
    return named ? undefined : calls.at(-1);
  }

  return {
    take(piece) {
      if (!isObject(piece)) return false;
      const said = piece["function"] ?? {};
      if (!isObject(said)) return false;
      const more = said["arguments"] ?? "";
      if (typeof more !== "string") return false;
      const [index, id, name] = [piece["index"] ?? undefined, wordIn(piece["id"]), wordIn(said["name"])];
      let call = known(index, id, name !== undefined);
      if (call === undefined || (name !== undefined && begins(call, id, more))) {
        call = { index, id: undefined, name: undefined, arguments: "", extra_content: undefined };
        calls.push(call);
      }
      call.id ??= id;
      call.name ??= name;
      call.extra_content ??= piece["extra_content"];
      call.arguments += more;
      return true;
    },
    all() {
      const used = new Set<string>();
      return calls.map(({ id, name, arguments: args, extra_content }) => {
        const own = id !== undefined && !used.has(id);
        if (own) used.add(id);
        return { ...(own ? { id } : {}), function: { name, arguments: args }, extra_content };
      });
    },
  };
}

/** Whether a piece with a name is another call than this one, though it has its index: names and ids are repeated too. */
function begins(call: Call, id: string | undefined, more: string): boolean {
  if (call.name === undefined) return false;
  const other = id !== undefined && call.id !== undefined && id !== call.id;
  const opens = more.trimStart().startsWith("{");
  return (opens && other) || ((opens || other) && isWhole(call.arguments));
}

function isWhole(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Some servers say nothing by an empty word. */
function wordIn(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
