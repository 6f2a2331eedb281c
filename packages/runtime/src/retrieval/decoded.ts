const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Bytes as text; undefined when they are none. */
export function decoded(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return utf8.decode(bytes).replaceAll("\r\n", "\n");
  } catch {
    return undefined;
  }
}
