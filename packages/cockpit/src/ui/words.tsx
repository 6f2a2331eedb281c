import { visible } from "@fairlead/contract/visible";

/** A sentence of ours in which commands and paths stand between backticks, as everywhere else. */
export function Words({ text }: { readonly text: string }) {
  const parts = visible(text).split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}
