/** A piece of a text that streams: the words that it has for people, and the piece itself. */
export interface Piece {
  readonly word: string | null;
  readonly text: string;
}

/** What a model streams: one after the other, each long enough to cost something if it were formatted whole. */
const KINDS = ["paragraphs", "table", "list", "code"] as const;
type Kind = (typeof KINDS)[number];

const BEGINS: Readonly<Record<Kind, string>> = {
  paragraphs: "",
  table: "| a | b | c |\n|---|---|---|\n",
  list: "",
  code: "```ts\n",
};
const ENDS: Readonly<Record<Kind, string>> = { paragraphs: ".", table: "", list: "", code: "\n```" };
const ROW = "with so many more of them that a line is filled";

const PIECES: Readonly<Record<Kind, (word: string, number: number) => string>> = {
  paragraphs: (word, number) => (number % 12 === 0 ? `${word}.\n\n` : `${word} `),
  table: (word, number) => `| ${word} | **row** ${number} | ${ROW} |\n`,
  list: (word) => `- ${word} ${ROW}\n`,
  code: (word, number) => `const ${word} = ${number}; // ${ROW}\n`,
};

/** The pieces of a text of `total` words, in equal parts of each kind. */
export function* textOf(total: number): Generator<Piece> {
  const each = Math.ceil(total / KINDS.length);
  for (let number = 1; ; number++) {
    const index = Math.min(KINDS.length - 1, Math.floor((number - 1) / each));
    const kind = KINDS[index]!;
    if ((number - 1) % each === 0 && number <= total) {
      const before = index === 0 ? "" : `${ENDS[KINDS[index - 1]!]}\n\n`;
      yield { word: null, text: `${before}${BEGINS[kind]}` };
    }
    const word = `word${number}`;
    yield { word, text: PIECES[kind](word, number) };
  }
}
