import type { Case, Faulty } from "./case.ts";

/** Names that no tool has: one far from all, and typos of the right one. */
export function nameFaults({ tools, name, arguments: args }: Case): Faulty[] {
  const text = JSON.stringify(args);
  const names = new Set(tools.map(({ spec }) => spec.name));
  const middle = name.length >> 1;
  const typos: readonly (readonly [how: string, name: string])[] = [
    ["letter missing", name.slice(0, middle) + name.slice(middle + 1)],
    ["letter twice", name.slice(0, middle) + name[middle] + name.slice(middle)],
    [
      "letter changed",
      `${name.slice(0, middle)}${name[middle] === "q" ? "z" : "q"}${name.slice(middle + 1)}`,
    ],
    ["letters swapped", name.slice(0, middle - 1) + name[middle] + name[middle - 1] + name.slice(middle + 1)],
    ["last letter missing", name.slice(0, -1)],
    ["capitals", name.toUpperCase()],
    ["dashes", name.replaceAll(/[_.]/g, "-")],
    ["underscores", name.replaceAll(".", "_")],
    // In a short name two typos leave nothing to know it by.
    ["two typos", name.length > 5 ? `q${name}q` : ""],
  ];
  return [
    { kind: "unknown_tool", how: "invented", name: "defenestrate_xylophones_77", text },
    ...typos
      .filter(([, typo]) => typo !== "" && typo !== name && !names.has(typo))
      .map(([how, typo]): Faulty => ({ kind: "misspelt_name", how, name: typo, text })),
  ];
}

/** Texts that JSON cannot read: some can be mended for sure, others have lost something. */
export function textFaults({ name, arguments: args }: Case): Faulty[] {
  const text = JSON.stringify(args);
  const keys = Object.keys(args);
  const texts: (readonly [how: string, text: string])[] = [
    ["comma at the end", text.replace(/\}$/, ",}")],
    ["comment", text.replace(/^\{/, "{ // the arguments\n")],
    ["code fence", `\`\`\`json\n${text}\n\`\`\``],
    ["no last bracket", text.slice(0, -1)],
    ["cut in half", text.slice(0, Math.ceil(text.length / 2))],
    ["cut near the end", text.slice(0, -3)],
    ["prose before", `Here you are: ${text}`],
    ["prose alone", "I would rather not."],
    ["bracket too many", `${text}}`],
    ["a list", `[${text}]`],
    ["text in text", JSON.stringify(text)],
  ];
  if (keys.length > 0) texts.push(["comma missing before", text.replace(/^\{/, "{,")]);
  if (keys.length > 1)
    texts.push([
      "comma missing",
      text.replace(`,${JSON.stringify(keys[1])}:`, ` ${JSON.stringify(keys[1])}:`),
    ]);
  if (!/['\\]/.test(text)) texts.push(["single quotes", text.replaceAll('"', "'")]);
  if (/^\w+$/.test(keys[0] ?? "")) texts.push(["bare key", text.replace(`"${keys[0]}"`, keys[0] as string)]);
  if (/:(?:true|false)\b/.test(text))
    texts.push(["Python", text.replace(/:true\b/, ":True").replace(/:false\b/, ":False")]);
  if (/:"/.test(text)) texts.push(["quote missing", text.replace(':"', ":")]);
  return texts
    .filter(([, faulty]) => !parses(faulty))
    .map(([how, faulty]): Faulty => ({ kind: "unparsable", how, name, text: faulty }));
}

function parses(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
