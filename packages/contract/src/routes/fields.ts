import { z } from "zod";
import { TIERS } from "../define.ts";
import { FACE_NAMES } from "../frames.ts";
import { isStreamId } from "../ids.ts";
import { isPlain, isReservedAlias } from "../names.ts";

/** A whole number in a query, as digits: not `1e3`, not ` 7`, not `0x1f`. */
function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,16}$/, "Must be a whole number.")
    .transform(Number)
    .pipe(z.int().min(least, `Must be at least ${least}.`).max(most, `Must be at most ${most}.`));
}

const seqText = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const limitText = wholeNumber(1, 1000);

/** `a,b,c`, at least one. */
const listText = z
  .string()
  .max(4000)
  .transform((text) => text.split(","))
  .pipe(z.array(z.string().min(1).refine(isPlain, "Has control characters.")).max(100));

/** Names that callers may give. None that could be taken for an id of ours. */
export const Alias = z
  .string()
  .regex(/^[\w.:@~+-]{1,128}$/, "1 to 128 letters, digits or . : @ ~ + - _")
  .refine((text) => !isStreamId(text), "Looks like an id of the runtime.")
  .refine((text) => !isReservedAlias(text), "`all`, `.` and `..` mean something else.");

/** A session's id or any of its aliases. */
export const SessionRef = z.string().regex(/^[\w.:@~+-]{1,128}$/, "Not a session id or alias.");
export const sessionParams = z.strictObject({ id: SessionRef });

export const projectName = z.string().regex(/^[\w.:@~+-]{1,128}$/);
export const shortText = z.string().max(500);
/** Of the machine that the server runs on. */
export const Directory = z
  .string()
  .min(1)
  .max(4_096)
  .startsWith("/", "Must be an absolute path.")
  .refine(isPlain, "Has control characters.");

const face = z.enum(FACE_NAMES).default("frontend");
const tier = z.enum(TIERS).optional();
const history = z.enum(["own", "full"]).default("own");

export const pageQuery = z
  .strictObject({
    after: seqText.optional(),
    before: seqText.optional(),
    limit: limitText.default(100),
    types: listText.optional(),
    tier,
    face,
    history,
  })
  .refine((query) => query.after === undefined || query.before === undefined, {
    path: ["before"],
    message: "Give `after` or `before`, not both.",
  });

/** Where a stream begins: after a cursor, or with whatever comes next. */
const afterText = z.union([z.literal("latest"), seqText], {
  error: "Must be a whole number, or `latest`.",
});
export const streamQuery = z.strictObject({ after: afterText.optional(), tier, face, history });
export const allStreamQuery = z.strictObject({
  after: afterText.optional(),
  until: z.literal("latest").optional(),
  types: listText.optional(),
  tier,
  face,
});

/** Lists go on from the `cursor` of the page before. */
export const rowQuery = { limit: limitText.default(50), cursor: z.string().max(500).optional() };
export const rowPage = <S extends z.ZodType>(row: S) =>
  z.object({ rows: z.array(row), cursor: z.string().nullable() });

/** Not strict, as other queries are: these addresses took none before, and whoever sent some is not refused now. */
export const detailQuery = z.object({ limit: limitText.default(200) });
