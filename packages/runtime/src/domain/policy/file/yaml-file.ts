import type { Document, Node, Pair } from "yaml";
import { isAlias, isMap, isNode, isPair, isScalar, parseDocument, visit } from "yaml";
import type { Flaw, Problem, ProblemCode } from "../problem.ts";
import { PROBLEMS } from "../problem.ts";
import { linesOf } from "./lines.ts";
import { scalarOffsets } from "./scalar-offsets.ts";

export interface SourceText {
  /** For messages, and the order in which files count. */
  readonly path: string;
  readonly text: string;
}

export type Path = readonly PropertyKey[];

export interface YamlFile {
  readonly path: string;
  readonly value: unknown;
  /** A problem at the value that stands at this path; where there is none, at what surrounds it. */
  at(path: Path, code: ProblemCode, message: string, hint?: string): Problem;
  /** A problem at the key itself. */
  atKey(path: Path, code: ProblemCode, message: string, hint?: string): Problem;
  /** A problem inside the text that stands at this path. */
  inside(path: Path, flaw: Flaw): Problem;
}

const LARGEST = 1_000_000;

/** Reads YAML for people who write it by hand: every complaint has a position. Never throws. */
export function readYaml({ path, text }: SourceText): YamlFile | Problem[] {
  const place = linesOf(text);
  const problem = (offset: number, code: ProblemCode, message: string, hint?: string): Problem => ({
    file: path,
    ...place(offset),
    code,
    message,
    hint: hint ?? PROBLEMS[code],
  });
  if (text.length > LARGEST) {
    return [problem(0, "too_large", `The file has ${text.length} characters; at most ${LARGEST} are read.`)];
  }
  try {
    const doc = parseDocument(text, {
      prettyErrors: false,
      stringKeys: true,
      version: "1.2",
      schema: "core",
    });
    const complaints = [...doc.errors, ...doc.warnings];
    if (complaints.length > 0) {
      return complaints.slice(0, 20).map(({ pos, message }) => problem(pos[0], "not_yaml", message));
    }
    const alias = firstAlias(doc);
    if (alias !== undefined)
      return [problem(startOf(alias), "not_yaml", "Aliases are not read here.", "Write the value out.")];
    return {
      path,
      value: doc.toJS({ maxAliasCount: 0 }) as unknown,
      at: (where, code, message, hint) => problem(startOf(nodeAt(doc, where)), code, message, hint),
      atKey: (where, code, message, hint) => problem(keyOffset(doc, where), code, message, hint),
      inside: (where, { offset, code, message, hint }) => {
        const node = nodeAt(doc, where);
        const start = startOf(node);
        const value = isScalar(node) && typeof node.value === "string" ? node.value : "";
        const within = scalarOffsets(text.slice(start, node?.range?.[1]), value)(offset);
        return problem(start + within, code, message, hint);
      },
    };
  } catch (error) {
    return [problem(0, "not_yaml", `The file cannot be read: ${(error as Error).message}`)];
  }
}

function firstAlias(doc: Document): Node | undefined {
  let found: Node | undefined;
  visit(doc, {
    Alias(_, node) {
      found = node;
      return visit.BREAK;
    },
  });
  return found;
}

/** The node at the path, or the closest one around it. */
function nodeAt(doc: Document, path: Path): Node | null {
  for (let length = path.length; length >= 0; length--) {
    const found = length === 0 ? doc.contents : doc.getIn(path.slice(0, length), true);
    if (isNode(found) && !isAlias(found)) return found;
  }
  return null;
}

function keyOffset(doc: Document, path: Path): number {
  const parent = nodeAt(doc, path.slice(0, -1));
  const pairs: readonly unknown[] = isMap(parent) ? parent.items : [];
  const pair = pairs.find(
    (item): item is Pair => isPair(item) && isScalar(item.key) && item.key.value === path.at(-1),
  );
  return startOf(isNode(pair?.key) ? pair.key : parent);
}

function startOf(node: Node | null | undefined): number {
  return node?.range?.[0] ?? 0;
}
