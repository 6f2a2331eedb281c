import type { Tool, ToolSource } from "../../ports/tool.ts";

export interface Joined {
  readonly list: readonly Tool[];
  readonly byName: ReadonlyMap<string, Tool>;
}

/** What every provider takes as the name of a tool. */
const CALLABLE = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** All tools by name. Made again only when a source has a new list, so that asking costs nothing. */
export function joinTools(
  sources: readonly ToolSource[],
  disabled: ReadonlySet<string>,
  report: (problem: string) => void,
): () => Joined {
  let lists: readonly (readonly Tool[])[] = [];
  let joined: Joined = { list: [], byName: new Map() };
  const told = new Set<string>();

  return () => {
    const now = sources.map(listed);
    if (now.length === lists.length && now.every((list, i) => list === lists[i])) return joined;
    lists = now;
    const byName = new Map<string, Tool>();
    for (const tool of now.flat()) {
      const { name } = tool.spec;
      const other = byName.get(name);
      if (disabled.has(name)) continue;
      if (other !== undefined)
        tell(`${tool.origin} has a tool ${name} too; the one of ${other.origin} is used.`);
      else if (!CALLABLE.test(name))
        tell(`${tool.origin}: no model could call a tool named ${JSON.stringify(name)}.`);
      else byName.set(name, tool);
    }
    joined = { list: [...byName.values()], byName };
    return joined;
  };

  function listed(source: ToolSource): readonly Tool[] {
    try {
      return source.tools();
    } catch (error) {
      tell(`${source.name} gave no tools: ${(error as Error).message}`);
      return [];
    }
  }

  function tell(problem: string): void {
    if (told.has(problem)) return;
    told.add(problem);
    report(problem);
  }
}
