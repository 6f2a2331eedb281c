const MARK = / (\(branch [\d.]+\))$/;

/** A title, and what tells a branch from what it came from, which stands at its end; null where it has none. */
export function branchMark(title: string): readonly [name: string, mark: string | null] {
  const mark = MARK.exec(title)?.[1];
  return mark === undefined ? [title, null] : [title.slice(0, -mark.length - 1), mark];
}
