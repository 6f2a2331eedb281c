export interface WebRequest {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

export interface WebPage {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in small letters; empty when the server gave none. */
  readonly type: string;
  readonly charset: string | undefined;
  readonly bytes: Uint8Array;
  /** The page was longer. */
  readonly truncated: boolean;
}

/** Reads public pages. Rejects with a sentence for models where an address may not be reached or does not answer. */
export interface Web {
  get(request: WebRequest): Promise<WebPage>;
}
