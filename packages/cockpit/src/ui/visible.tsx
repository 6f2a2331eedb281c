import { visibleParts } from "@fairlead/contract/visible";

/** Text from elsewhere, with what would be hidden in it as marked escapes: what is read is what is there. */
export function Visible({ text }: { readonly text: string }) {
  const parts = visibleParts(text);
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="hidden-char" title="A character that would not be seen">
        {part}
      </span>
    ),
  );
}
