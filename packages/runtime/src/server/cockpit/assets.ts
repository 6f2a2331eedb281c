/** A file of the built page, in every encoding there is of it. */
export interface CockpitFile {
  readonly type: string;
  readonly etag: string;
  /** Its name has a hash of its content: it never changes. */
  readonly immutable: boolean;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>> & { readonly identity: Buffer };
}

const ENCODINGS = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The built page: its document, and what that loads by its path below `/assets/`. All in memory. */
export interface CockpitAssets {
  readonly document: CockpitFile;
  readonly files: ReadonlyMap<string, CockpitFile>;
}

/** The first of ours that the client takes. A quality of zero is a refusal. */
export function chooseEncoding(header: string | undefined, file: CockpitFile): Encoding {
  const taken = new Set(
    (header ?? "")
      .split(",")
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(";", 1)[0]),
  );
  return ENCODINGS.find((name) => taken.has(name) && file.bodies[name] !== undefined) ?? "identity";
}
