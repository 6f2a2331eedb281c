import DOMPurify from "dompurify";
import { Marked } from "marked";

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
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A") markLink(node);
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
  if (node.textContent?.trim() === href || node.querySelector(".link-host") !== null) return;
  const host = node.ownerDocument.createElement("span");
  host.className = "link-host";
  host.textContent = ` (${url.host || url.pathname})`;
  node.append(host);
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const kept = new Map<string, string>();
const MOST_KEPT = 400;

/** As `markup`, remembered for a while: rows come and go while one scrolls. */
export function keptMarkup(text: string): string {
  const known = kept.get(text) ?? markup(text);
  kept.delete(text);
  kept.set(text, known);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? "");
  return known;
}

/** Text of a model or a tool as markup that can only be looked at. */
export function markup(text: string): string {
  return purify.sanitize(marked.parse(text) as string) as unknown as string;
}
