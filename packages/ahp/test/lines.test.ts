import { PassThrough } from "node:stream";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { lineLink } from "../src/lines/link.ts";
import { createLineReader } from "../src/lines/reader.ts";
import { AhpError } from "../src/protocol/errors.ts";

const shown = (lines: (string | AhpError)[]) =>
  lines.map((line) => (line instanceof AhpError ? line.code : line));

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [
    0,
    ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

describe("line reader", () => {
  it("gives the same lines however the bytes are cut", () => {
    const line = fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.replaceAll(/[\n\r]/g, " "));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, places) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        const whole = bytes
          .toString()
          .split("\n")
          .filter((text) => text !== "");
        const reader = createLineReader(10_000);
        const read = cut(bytes, places).flatMap((chunk) => reader.push(chunk));
        expect(shown([...read, ...reader.end()])).toEqual(whole);
      }),
    );
  });

  it("never throws on any bytes, and never keeps more than its limit", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 })), (chunks) => {
        const reader = createLineReader(50);
        for (const line of chunks.flatMap((chunk) => reader.push(Buffer.from(chunk)))) {
          expect(typeof line === "string" ? Buffer.byteLength(line) : 0).toBeLessThanOrEqual(50);
        }
        reader.end();
      }),
    );
  });

  it("refuses a line over the limit, in one chunk or in many, and reads no further", () => {
    for (const size of [1, 7, 100]) {
      const reader = createLineReader(10);
      const bytes = Buffer.from("ok\n0123456789x\nnever\n");
      const read = [];
      for (let at = 0; at < bytes.length; at += size)
        read.push(...reader.push(bytes.subarray(at, at + size)));
      expect(shown(read)).toEqual(["ok", "message_too_large"]);
      expect(reader.isLost).toBe(true);
    }
  });

  it("takes a line of exactly the limit, counted in bytes", () => {
    expect(shown(createLineReader(4).push(Buffer.from("ää\n")))).toEqual(["ää"]);
    expect(shown(createLineReader(3).push(Buffer.from("ää\n")))).toEqual(["message_too_large"]);
  });

  it("marks a line that is no UTF-8 and reads its neighbours", () => {
    const bytes = Buffer.concat([Buffer.from("a\n"), Buffer.from([0xff, 0x0a]), Buffer.from("b\n")]);
    expect(shown(createLineReader(100).push(bytes))).toEqual(["a", "parse_error", "b"]);
  });

  it("reads a last line without a newline", () => {
    const reader = createLineReader(100);
    expect(reader.push(Buffer.from("a\nb"))).toEqual(["a"]);
    expect(reader.end()).toEqual(["b"]);
  });
});

describe("line link", () => {
  it("stops reading while its owner asks for patience", async () => {
    const input = new PassThrough();
    const link = lineLink(input, new PassThrough());
    const taken: string[] = [];
    let release = (): void => {};
    link.listen({
      message(text) {
        taken.push(text);
        if (text === "2") return new Promise<void>((resolve) => (release = resolve));
      },
      garbage: () => {},
      closed: () => taken.push("end"),
    });
    input.write("1\n2\n3\n");
    input.end("4\n");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(taken).toEqual(["1", "2"]);
    release();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(taken).toEqual(["1", "2", "3", "4", "end"]);
  });

  it("writes what is sent in one turn at once, in order", async () => {
    const output = new PassThrough();
    const link = lineLink(new PassThrough(), output);
    link.listen({ message: () => {}, garbage: () => {}, closed: () => {} });
    const chunks: string[] = [];
    output.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
    for (const text of ["a", "b", "c"]) void link.send(text);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(chunks).toEqual(["a\nb\nc\n"]);
  });

  it("tells its sender to wait for a slow reader", async () => {
    const output = new PassThrough({ highWaterMark: 10 });
    const link = lineLink(new PassThrough(), output);
    link.listen({ message: () => {}, garbage: () => {}, closed: () => {} });
    void link.send("0123456789");
    await new Promise((resolve) => setTimeout(resolve, 5));
    const waiting = link.send("more");
    expect(waiting).toBeInstanceOf(Promise);
    output.resume();
    await waiting;
  });

  it("gives up a reader that leaves too much unread", async () => {
    const output = new PassThrough({ highWaterMark: 10 });
    const link = lineLink(new PassThrough(), output, { maxBufferedBytes: 1_000 });
    const closed = new Promise<AhpError | undefined>((resolve) => {
      link.listen({ message: () => {}, garbage: () => {}, closed: resolve });
    });
    for (let n = 0; n < 300; n += 1) void link.send("0123456789");
    expect((await closed)?.code).toBe("connection_lost");
  });
});
