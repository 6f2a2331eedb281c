/** Longer ones are hashes and encoded data. */
const LONGEST = 64;
/** With all that is not ASCII, which is looked at more closely: most words are, and this is quick. */
const WORDS = /[A-Za-z0-9_\u0080-\uffff]+/g;
const ASCII = /^[A-Za-z0-9_]+$/;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The same words come again and again; what they give is kept for as many. */
const KEPT = 50_000;
const kept = new Map<string, readonly string[]>();

/**
 * The terms of a text, in order: each word in small letters, and the parts of those that are made of several:
 * `parseConfigFile`, `parse_config_file`, `HTTPServer2`. Plurals count as singulars.
 */
export function terms(text: string): readonly string[] {
  const found: string[] = [];
  for (const word of text.match(WORDS) ?? []) for (const term of termsOf(word)) found.push(term);
  return found;
}

function termsOf(word: string): readonly string[] {
  const known = kept.get(word);
  if (known !== undefined) return known;
  const isName = ASCII.test(word);
  if (word.length > LONGEST) return isName ? [] : foreign(word);
  const found = isName ? ofName(word) : foreign(word);
  if (kept.size >= KEPT) kept.clear();
  kept.set(word, found);
  return found;
}

function ofName(word: string): readonly string[] {
  const parts = word
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .split("_");
  const whole = word.toLowerCase();
  const all = parts.length === 1 ? [whole] : [whole, ...parts.map((part) => part.toLowerCase())];
  return all.filter((term) => term.length > 1 && term.length <= LONGEST).map(singular);
}

/** Words of other scripts; where those are written without spaces, pairs of letters stand for them. */
function foreign(run: string): readonly string[] {
  const found: string[] = [];
  for (const [part] of run.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)) {
    const word = part.toLowerCase();
    const letters = [...word];
    if (ASCII.test(part)) found.push(...ofName(part));
    else if (!SPACELESS.test(word)) found.push(word.slice(0, LONGEST));
    else if (letters.length === 1) found.push(word);
    else for (let i = 1; i < letters.length; i++) found.push(`${letters[i - 1]}${letters[i]}`);
  }
  return found;
}

function singular(term: string): string {
  if (term.length < 4 || !term.endsWith("s") || /(ss|us|is)$/.test(term)) return term;
  return term.endsWith("ies") && term.length > 4 ? `${term.slice(0, -3)}y` : term.slice(0, -1);
}

/** Words that say nothing about what is sought. */
const EMPTY = new Set(
  "a an and are as at be but by can could do doe does did for from had has have how i if in into is it its me my not of on or our please should so than that the their them then there these they this to was we were what when where which who why will with would you your".split(
    " ",
  ),
);

/** The distinct terms of a query, without the words that say nothing where others remain. */
export function queryTerms(query: string, most: number): readonly string[] {
  const all = [...new Set(terms(query))];
  const telling = all.filter((term) => !EMPTY.has(term));
  return (telling.length > 0 ? telling : all).slice(0, most);
}
