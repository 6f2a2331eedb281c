import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { FairleadError } from "@fairlead/contract";

/** Keeps what execution needs again but no reader may see. Bound to the event it belongs to. */
export interface Sealer {
  seal(eventId: string, plain: string): Uint8Array;
  /** Throws `seal_key_missing` when sealed with another key, or when the box was tampered with. */
  open(eventId: string, box: Uint8Array): string;
}

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const MARK_BYTES = 4;
const HEAD_BYTES = 1 + MARK_BYTES + IV_BYTES + TAG_BYTES;

/** AES-256-GCM. Box: version, mark of the key, nonce, tag, cipher text. */
export function createSealer(key: Buffer): Sealer {
  if (key.length !== 32)
    throw new FairleadError("seal_key_missing", { message: "The seal key must be 32 bytes." });
  const mark = createHash("sha256").update("fairlead seal mark").update(key).digest().subarray(0, MARK_BYTES);
  return {
    seal(eventId, plain) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      cipher.setAAD(Buffer.from(eventId));
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), mark, iv, cipher.getAuthTag(), text]);
    },
    open(eventId, box) {
      const bytes = Buffer.from(box);
      if (
        bytes.length < HEAD_BYTES ||
        bytes[0] !== VERSION ||
        !bytes.subarray(1, 1 + MARK_BYTES).equals(mark)
      ) {
        throw new FairleadError("seal_key_missing", { message: "This was sealed with another key." });
      }
      const iv = bytes.subarray(1 + MARK_BYTES, 1 + MARK_BYTES + IV_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, iv);
      decipher.setAAD(Buffer.from(eventId));
      decipher.setAuthTag(bytes.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]).toString(
          "utf8",
        );
      } catch (cause) {
        throw new FairleadError("seal_key_missing", {
          message: "The sealed data does not open: it was changed, or moved from another event.",
          cause,
        });
      }
    },
  };
}
