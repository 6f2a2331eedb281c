// What the tests and their server processes say to each other.
import type { Counted } from "./kill-at.ts";
import type { Point } from "./points.ts";
import type { Site } from "./site.ts";

/** Without a point it lives until it is told to stop. */
export interface ServedSite extends Site {
  readonly point?: Point;
}

export type FromServer =
  | { readonly site: number; readonly url: string }
  | { readonly counted: readonly Counted[] };

export type ToServer =
  /** Nothing more will be asked of this site. */
  { readonly ended: number } | { readonly stop: true };
