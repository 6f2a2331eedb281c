import { visible } from "@fairlead/contract/visible";
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { tokensOf } from "./bounded-lexer.ts";
import { levelHeadings } from "./heading-levels.ts";

/** Loaded when there is something to show: the two libraries are half of the page. */
const marked = new Marked({
  gfm: true,
  breaks: false,
  async: false,
  renderer: {
    // What looks like HTML is text of the model, and is shown as such.
    html: ({ text }) => escaped(text),
    // Nothing is fetched from anywhere: an image is a link to it.
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text || href)}</a>`,
  },
});

const ALLOWED_TAGS = [
  ..."p br hr strong em del code pre blockquote ul ol li a h1 h2 h3 h4 h5 h6".split(" "),
  ..."table thead tbody tr th td input span".split(" "),
];
const ALLOWED_ATTR = [
  "href",
  "title",
  "start",
  "align",
  "type",
  "checked",
  "disabled",
  "class",
  "rel",
  "target",
];

const purify = DOMPurify(window);
// Once, and not with each text: it is turned into tables.
purify.setConfig({
  ALLOWED_TAGS,
  ALLOWED_ATTR,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_TRUSTED_TYPE: true,
});
// What turns text around or is not seen in it would let it say something else than what is there.
purify.addHook("uponSanitizeElement", (node) => {
  if (node.nodeName === "#text") node.textContent = visible(node.textContent ?? "");
});
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A") markLink(node);
  const title = node.getAttribute("title");
  if (title !== null) node.setAttribute("title", visible(title));
  if (node.tagName === "INPUT") {
    if (node.getAttribute("type") === "checkbox") node.setAttribute("disabled", "");
    else node.remove();
  }
  // Classes are for the looks of this page; only the name of a language is a text's own.
  if (node.hasAttribute("class") && !/^language-[\w-]{1,30}$/.test(node.getAttribute("class") ?? ""))
    if (node.getAttribute("class") !== "link-host") node.removeAttribute("class");
});

/** Where it leads is said beside it, and it learns nothing of where it was. */
function markLink(node: Element): void {
  const href = node.getAttribute("href") ?? "";
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return node.removeAttribute("href");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:" && url.protocol !== "mailto:")
    return node.removeAttribute("href");
  node.setAttribute("rel", "noopener noreferrer nofollow");
  node.setAttribute("target", "_blank");
  // Before an @ stands a name and no place: the address itself says something else than where it leads.
  const named = url.username !== "" || url.password !== "";
  if (node.textContent === href && !named) return;
  const host = node.ownerDocument.createElement("span");
  host.className = "link-host";
  host.textContent = ` (${url.host || url.pathname})`;
  node.append(host);
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const kept = new Map<string, string | null>();
const MOST_KEPT = 400;

/** As `markup`, remembered for a while: rows come and go while one scrolls. */
export function keptMarkup(text: string): string | null {
  const known = kept.get(text);
  const made = known === undefined ? markup(text) : known;
  kept.delete(text);
  kept.set(text, made);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? "");
  return made;
}

/** Longer, a text is shown as it is: nobody waits for its looks. */
const LONGEST = 64_000;

/** Text of a model or a tool as markup that can only be looked at. Null: it is to be shown as it is. */
export function markup(text: string): string | null {
  if (text.length > LONGEST) return null;
  try {
    const tokens = tokensOf(text, marked.defaults);
    levelHeadings((each) => void marked.walkTokens(tokens, each));
    return purify.sanitize(marked.parser(tokens) as string) as unknown as string;
  } catch {
    // Whatever it is that cannot be read, it is text.
    return null;
  }
}
