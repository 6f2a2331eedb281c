import { tickedParts } from "../lib/ticked.ts";
import { Visible } from "./visible.tsx";

/** A sentence of ours with what it quotes between backticks, shown as code. */
export function Ticked({ text }: { readonly text: string }) {
  return tickedParts(text).map((part, index) =>
    index % 2 === 0 ? (
      <Visible key={index} text={part} />
    ) : (
      <code key={index}>
        <Visible text={part} />
      </code>
    ),
  );
}
