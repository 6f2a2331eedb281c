import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

import { AhpError } from "../protocol/errors.ts";

/**
 * The whole body as text. Stops reading at the limit, or when there is no room to keep more; a message that
 * breaks off is an error too.
 */
export function readBody(
  message: IncomingMessage,
  maxBytes: number,
  hasRoom: (bytes: number) => boolean = () => true,
): Promise<string | AhpError> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isSettled = false;

    // The outcome is made only when it is needed: an error costs more than the rest together.
    function settle(outcome: () => string | AhpError): void {
      if (isSettled) return;
      isSettled = true;
      resolve(outcome());
    }

    if (Number(message.headers["content-length"] ?? 0) > maxBytes) settle(() => tooLarge(maxBytes));
    message.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) settle(() => tooLarge(maxBytes));
      else if (isSettled) return;
      else if (hasRoom(chunk.length)) chunks.push(chunk);
      else settle(() => new AhpError("overloaded", "There is no room for more"));
    });
    message.on("end", () => settle(() => decode(chunks)));
    message.on("error", (error) => settle(() => broken(error.message)));
    message.on("close", () => settle(() => broken("closed early")));
  });
}

function decode(chunks: Buffer[]): string | AhpError {
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  return isUtf8(bytes) ? bytes.toString() : new AhpError("parse_error", "The message is not UTF-8");
}

function tooLarge(maxBytes: number): AhpError {
  return new AhpError("message_too_large", `The message is longer than ${maxBytes} bytes`);
}

function broken(why: string): AhpError {
  return new AhpError("connection_lost", `The body broke off: ${why}`);
}
