/** What the command line says about the harness; the configuration says the rest. */
export interface HarnessChoice {
  readonly config?: string;
  readonly policies?: string;
  readonly unix?: string;
  readonly http?: string;
  readonly ws?: string;
  /** Who speaks on the socket and on stdio. */
  readonly as?: string;
}

/** Without what was not said. */
export function chosen(said: { readonly [K in keyof HarnessChoice]: string | undefined }): HarnessChoice {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
