/** Text whose parts between backticks are code: those stand at odd places. A tick without its other one is a tick. */
export function tickedParts(text: string): readonly string[] {
  return text.split(/`([^`\n]+)`/);
}
