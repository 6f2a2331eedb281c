import { EventEmitter } from "node:events";
import type { AnyEvent } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { credentialOf } from "../../src/server/auth/credentials.ts";
import { loginLinks } from "../../src/server/auth/login-links.ts";
import { asFairleadError } from "../../src/server/errors.ts";
import { hostAllowed, isLoopback } from "../../src/server/host-check.ts";
import { parseJsonBody } from "../../src/server/json-body.ts";
import { html, prose } from "../../src/server/pages/html.ts";
import { createEncoder } from "../../src/server/sse/encode.ts";
import type { Outlet } from "../../src/server/sse/outlet.ts";
import { pump } from "../../src/server/sse/pump.ts";
import { viewOfStream } from "../../src/server/sse/view.ts";

describe("hosts", () => {
  test("an address beyond loopback answers to IP addresses with its port, and to no name it was not given", () => {
    const served = { host: "0.0.0.0", port: 4680, allowHosts: ["fairlead.lan"], secure: false };
    for (const host of [
      "192.168.1.7:4680",
      "[fe80::1]:4680",
      "localhost:4680",
      "fairlead.lan",
      "FAIRLEAD.lan:80",
    ]) {
      expect([host, hostAllowed(host, served)]).toEqual([host, true]);
    }
    for (const host of [
      "192.168.1.7",
      "192.168.1.7:81",
      "evil.example:4680",
      "fairlead.lan.evil.example",
      undefined,
    ]) {
      expect([host, hostAllowed(host, served)]).toEqual([host, false]);
    }
  });

  test("what loopback is", () => {
    for (const host of ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost"])
      expect(isLoopback(host)).toBe(true);
    for (const host of ["0.0.0.0", "::", "127.example.com", "10.0.0.1", "localhost.evil.example"]) {
      expect(isLoopback(host)).toBe(false);
    }
  });
});

describe("credentials", () => {
  test("a header before a cookie, and only well-formed ones", () => {
    expect(credentialOf({ authorization: "bearer abc", cookie: "fairlead_session=def" })).toEqual({
      kind: "bearer",
      secret: "abc",
    });
    expect(credentialOf({ cookie: "a=1; fairlead_session=def; b=2" })).toEqual({
      kind: "cookie",
      secret: "def",
    });
    expect(credentialOf({ cookie: "xfairlead_session=def; fairlead_session_=x" })).toBeUndefined();
    expect(credentialOf({ cookie: 'fairlead_session="a b"' })).toBeUndefined();
    expect(credentialOf({})).toBeUndefined();
  });

  test("no header makes it throw or take long", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20_000 }), (text) => {
        credentialOf({ authorization: text });
        credentialOf({ cookie: text });
      }),
      { numRuns: 200 },
    );
  });
});

describe("sign-in links", () => {
  const grant = { name: "ada", role: "admin", project: null } as const;

  test("work once, for their time, and only the newest are kept", () => {
    let now = 0;
    const links = loginLinks({ clock: { now: () => now }, ttlMs: 1_000, most: 2 });
    const [first, second, third] = [links.create(grant), links.create(grant), links.create(grant)];
    expect(links.redeem(first.code)).toBeUndefined();
    expect(links.redeem(`${second.code}x`)).toBeUndefined();
    expect(links.redeem(second.code)).toEqual(grant);
    expect(links.redeem(second.code)).toBeUndefined();
    now = 1_000;
    expect(links.redeem(third.code)).toBeUndefined();
    expect(third.code).toMatch(/^[\w-]{43}$/);
  });
});

describe("JSON bodies", () => {
  const parse = (text: string): unknown => parseJsonBody(Buffer.from(text), 64);

  test("what JSON.parse takes, we take, up to a depth and without __proto__", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        if (!text.includes("__proto__")) expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
    expect(() => parse('{"\\u005f_proto__":1}')).toThrow("not taken as a key");
    expect(() => parse('[{"a":{"__proto__":{}}}]')).toThrow("not taken as a key");
    expect(parse('["__proto__", "[[[", "\\"[["]')).toEqual(["__proto__", "[[[", '"[[']);
    expect(parse("")).toBeUndefined();
    expect(parse("[".repeat(64) + "]".repeat(64))).toBeInstanceOf(Array);
    expect(() => parse("[".repeat(65) + "]".repeat(65))).toThrow("Nested deeper");
  });
});

test("whatever is thrown becomes a code of ours, and a stranger's words stay inside", () => {
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      const { code, message } = asFairleadError(thrown);
      expect(["internal", "bad_request"]).toContain(code);
      expect(message).not.toContain("secret");
    }),
  );
  expect(asFairleadError(new Error("secret")).message).not.toContain("secret");
  expect(asFairleadError(Object.assign(new Error("secret"), { code: "toString" })).code).toBe("internal");
});

test("pages escape whatever is put into them", () => {
  expect(html`<a href="${'"><script>'}">${["<b>", html`<i>${"&"}</i>`, null, 7]}</a>`.text).toBe(
    '<a href="&quot;&gt;&lt;script&gt;">&lt;b&gt;<i>&amp;</i>7</a>',
  );
  expect(html`${prose("see `<x>` there")}`.text).toBe("see <code>&lt;x&gt;</code> there");
});

test("a replay that shows nothing does not keep others waiting", async () => {
  const end = new AbortController();
  const events = Array.from(
    { length: 100 },
    (_, i) => ({ seq: i + 1, type: "agent.usage", data: {} }) as unknown as AnyEvent,
  );
  const outlet: Outlet = {
    get closed() {
      return end.signal.aborted;
    },
    signal: end.signal,
    heldUp: false,
    send: () => undefined,
    drained: async () => {},
    nudge: () => true,
    end: () => {},
  };
  const others = new EventEmitter();
  setTimeout(() => others.emit("turn"), 5);
  others.once("turn", () => end.abort());
  const actor = { name: "a", role: "viewer", project: null, token_id: null } as const;
  const stream = {
    outlet,
    actor,
    credential: { kind: "bearer", secret: "s" },
    cursor: 0,
    hidden: 0,
  } as const;
  const feed = {
    view: viewOfStream("frontend", "default"),
    after: 0,
    // Always more, and always at once.
    async *follow() {
      for (;;) yield events;
    },
  };
  // Without its pauses this would never end: the timer could not fire.
  await pump({ ...stream }, createEncoder(), feed, { onFrames: () => {}, onError: () => {} });
  expect(end.signal.aborted).toBe(true);
});
