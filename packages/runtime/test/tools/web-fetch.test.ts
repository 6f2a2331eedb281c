import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPublic } from "../../src/host/public-address.ts";
import { hostWeb, type WebOptions } from "../../src/host/web.ts";
import { webFetch } from "../../src/tools/web-fetch.ts";
import { attempt, context } from "./support.ts";

let server: Server;
let port = 0;
/** What reached the server. */
const asked: string[] = [];

const PAGES: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  "/page": (_, response) =>
    response
      .setHeader("content-type", "text/html; charset=utf-8")
      .end(
        "<html><head><style>p{}</style><script>bad()</script></head><body><h1>Title</h1><p>Grüße &amp; <a href='/next'>more</a></p></body></html>",
      ),
  "/json": (_, response) => response.setHeader("content-type", "application/json").end('{"a":1}'),
  "/latin": (_, response) =>
    response
      .setHeader("content-type", "text/plain; charset=iso-8859-1")
      .end(Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65])),
  "/image": (_, response) => response.setHeader("content-type", "image/png").end(Buffer.from([1, 0, 2])),
  "/gone": (_, response) => void response.writeHead(404, { "content-type": "text/plain" }).end("not here"),
  "/large": (_, response) => response.setHeader("content-type", "text/plain").end("x".repeat(3_000_000)),
  "/bomb": (_, response) =>
    response
      .setHeader("content-type", "text/plain")
      .setHeader("content-encoding", "gzip")
      .end(gzipSync(Buffer.alloc(50_000_000, 65))),
  "/to-page": (_, response) => void response.writeHead(302, { location: "/page" }).end(),
  "/to-metadata": (_, response) =>
    void response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end(),
  "/to-file": (_, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/to-private": (_, response) =>
    void response.writeHead(307, { location: `http://private.test:${port}/json` }).end(),
  "/round": (_, response) => void response.writeHead(302, { location: "/round" }).end(),
  "/cut": (_, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
    response.write("half", () => response.destroy());
  },
  "/never": () => {},
};

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    const page = PAGES[request.url ?? ""];
    if (page === undefined) response.writeHead(404).end();
    else page(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});

/** `site.test` is allowed though it is here; everything else must be public. */
const site = (path: string) => `http://site.test:${port}${path}`;

function fetchPage(url: string, options: WebOptions = {}, signal?: AbortSignal) {
  const web = hostWeb({
    allowHosts: ["site.test"],
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    ...options,
  });
  return attempt(webFetch(web), { url }, context("/", signal));
}

describe("web_fetch", () => {
  it("gives a page as text", async () => {
    const { result, text } = await fetchPage(site("/page"));
    expect(result).toEqual({
      url: site("/page"),
      status: 200,
      content_type: "text/html",
      text: "Title\n\nGrüße & more [/next]",
      truncated: false,
    });
    expect(text).toContain("answered 200.");
  });

  it("gives JSON as it is, other charsets right, and says when something is no text", async () => {
    expect((await fetchPage(site("/json"))).result).toMatchObject({ text: '{"a":1}' });
    expect((await fetchPage(site("/latin"))).result).toMatchObject({ text: "Grüße" });
    expect((await fetchPage(site("/image"))).text).toContain("(This is image/png of 3 bytes");
  });

  it("reports an error status with its text as a failure", async () => {
    const output = await webFetch(
      hostWeb({ allowHosts: ["site.test"], resolve: async () => [{ address: "127.0.0.1", family: 4 }] }),
    ).run({ url: site("/gone") }, context("/"));
    expect(output).toMatchObject({ failed: true, result: { status: 404, text: "not here" } });
  });

  it("follows redirects, and ends what goes round", async () => {
    expect((await fetchPage(site("/to-page"))).result).toMatchObject({ url: site("/page"), status: 200 });
    expect((await fetchPage(site("/round"))).error).toContain("redirects more than 5 times");
  });

  it.each([["/large"], ["/bomb"]])("cuts what is too long: %s", async (path) => {
    const { result, text } = await fetchPage(site(path));
    expect(result).toMatchObject({ truncated: true });
    expect((result as { text: string }).text.length).toBeLessThanOrEqual(100_001);
    expect(text).toContain("(The page is longer.)");
  });

  it("ends at its time, at a cancel, and when the answer breaks off", async () => {
    expect((await fetchPage(site("/never"), { timeoutMs: 100 })).error).toContain(
      "did not answer within 100 ms",
    );
    const abort = new AbortController();
    const running = fetchPage(site("/never"), {}, abort.signal);
    abort.abort();
    expect((await running).error).toBe("Stopped.");
    expect((await fetchPage(site("/cut"))).error).toContain("broke off its answer");
    const stuck = { resolve: () => new Promise<never>(() => {}), timeoutMs: 50 };
    expect((await fetchPage(site("/page"), stuck)).error).toContain("did not answer within 50 ms");
  });

  it("says that nobody listens, and that a name is unknown", async () => {
    expect((await fetchPage("http://site.test:1/x")).error).toContain("cannot be read: ECONNREFUSED");
    const unknown = { resolve: () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" })) };
    expect((await fetchPage("http://nobody.test/", unknown)).error).toBe(
      "nobody.test cannot be found (ENOTFOUND).",
    );
  });
});

describe("web_fetch reaches nothing private", () => {
  it.each([
    "http://127.0.0.1:PORT/json",
    "http://localhost:PORT/json",
    "http://0x7f.1:PORT/json",
    "http://2130706433:PORT/json",
    "http://0177.0.0.1:PORT/json",
    "http://0.0.0.0:PORT/json",
    "http://[::1]:PORT/json",
    "http://[::]:PORT/json",
    "http://[::ffff:127.0.0.1]:PORT/json",
    "http://[64:ff9b::7f00:1]:PORT/json",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://100.100.100.200/",
    "http://private.test:PORT/json",
  ])("%s", async (url) => {
    const before = asked.length;
    expect((await fetchPage(url.replace("PORT", String(port)))).error).toContain("is refused");
    expect(asked).toHaveLength(before);
  });

  it("nor by a redirect, to an address, a name or another scheme", async () => {
    expect((await fetchPage(site("/to-metadata"))).error).toBe(
      "169.254.169.254 is refused: it is a private, local or reserved address.",
    );
    expect((await fetchPage(site("/to-private"))).error).toContain("private.test is refused");
    expect((await fetchPage(site("/to-file"))).error).toContain("only http and https can be read");
    expect(asked).not.toContain(`private.test:${port}/json`);
  });

  it("nor by a name with one private address among public ones", async () => {
    const mixed = async () => [
      { address: "93.184.215.14", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    expect((await fetchPage(`http://mixed.test:${port}/json`, { resolve: mixed })).error).toContain(
      "is refused",
    );
  });

  it("nor by a name that changes after it was checked: it is asked for once", async () => {
    let times = 0;
    const rebinding = async () => [{ address: times++ === 0 ? "93.184.215.14" : "127.0.0.1", family: 4 }];
    const before = asked.length;
    const { error } = await fetchPage(`http://rebind.test:${port}/json`, {
      resolve: rebinding,
      timeoutMs: 300,
    });
    expect(error).toMatch(/cannot be read|did not answer/);
    expect(times).toBe(1);
    expect(asked).toHaveLength(before);
  });

  it("unless the host was allowed, by name or with its port", async () => {
    const url = `http://private.test:${port}/json`;
    expect((await fetchPage(url, { allowHosts: ["private.test"] })).result).toMatchObject({ status: 200 });
    expect((await fetchPage(url, { allowHosts: [`private.test:${port}`] })).result).toMatchObject({
      status: 200,
    });
    expect((await fetchPage(url, { allowHosts: ["private.test:1"] })).error).toContain("is refused");
  });

  it("has checks for what is no address", () => {
    const [check] = webFetch(hostWeb()).checks ?? [];
    expect(check?.({ url: "example.com" })).toContain("url is not an address");
    expect(check?.({ url: "ftp://example.com" })).toContain("only http and https");
    expect(check?.({ url: "https://me:pw@example.com" })).toContain("must not contain a name or password");
    expect(check?.({ url: "https://example.com" })).toBeUndefined();
  });

  it("knows private addresses of every range", () => {
    fc.assert(
      fc.property(fc.constantFrom(10, 127, 0), fc.nat(255), fc.nat(255), fc.nat(255), (a, b, c, d) => {
        expect(isPublic(`${a}.${b}.${c}.${d}`)).toBe(false);
        expect(isPublic(`::ffff:${a}.${b}.${c}.${d}`)).toBe(false);
      }),
    );
    for (const address of ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111"])
      expect(isPublic(address)).toBe(true);
    for (const address of ["fe80::1", "fe80::1%eth0", "ff02::1", "2001:db8::1", "2002:7f00:1::", "", "x"])
      expect(isPublic(address)).toBe(false);
  });
});
