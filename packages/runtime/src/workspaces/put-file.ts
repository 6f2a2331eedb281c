import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Whole and on the disk under its name, or not there at all. The draft lies in the same directory. */
export async function putFile(
  place: string,
  bytes: Uint8Array,
  { draft, mode }: { readonly draft: string; readonly mode: number },
): Promise<void> {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  const file = await open(draft, "wx", mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, place);
}
