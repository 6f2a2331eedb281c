import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const NOUNS =
  "account batch cache channel cursor decision entry event filter grant header index job ledger lease limit message model node order packet policy queue record request result route schema session signal source stream table task token trace turn user value window worker".split(
    " ",
  );
const VERBS =
  "accept apply build check claim close collect commit compare count decide decode delete drain encode expire fetch find flush fold join limit list load merge open parse pick plan post read redact release render replay resolve retry score select send split start store verify write".split(
    " ",
  );

/** Numbers that are the same every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A tree of source files of different sizes, the same every time. Returns their paths. */
export function writeTree(root: string, files: number): readonly string[] {
  const random = seeded(7);
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] as string;
  const capital = (word: string) => word[0]?.toUpperCase() + word.slice(1);
  writeFile(join(root, ".gitignore"), "dist/\n*.log\n");
  return Array.from({ length: files }, (_, n) => {
    const path = `src/${pick(NOUNS)}/${pick(VERBS.slice(0, 6))}/${pick(VERBS)}-${pick(NOUNS)}-${n}.ts`;
    const functions = 2 + Math.floor(random() ** 2 * 24);
    const text = Array.from({ length: functions }, () => {
      const [verb, noun, other] = [pick(VERBS), pick(NOUNS), pick(NOUNS)];
      const name = `${verb}${capital(noun)}`;
      return [
        `/** Must ${verb} the ${noun} before any ${other} can ${pick(VERBS)} it. */`,
        `export function ${name}(${other}: ${capital(other)}): ${capital(noun)} {`,
        `  const ${noun}_${pick(NOUNS)} = ${pick(VERBS)}(${other}.${pick(NOUNS)});`,
        `  if (${noun}_${pick(NOUNS)} === undefined) throw new Error("There is no ${noun}.");`,
        `  return ${pick(VERBS)}${capital(pick(NOUNS))}(${other}, ${Math.floor(random() * 10_000)});`,
        "}",
        "",
      ].join("\n");
    }).join("\n");
    writeFile(join(root, path), `import { ${capital(pick(NOUNS))} } from "../${pick(NOUNS)}.ts";\n\n${text}`);
    return path;
  });
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
