const CHARS = 160;

/** The first words of something that is folded away. */
export function beginning(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > CHARS ? `${line.slice(0, CHARS)} …` : line;
}
