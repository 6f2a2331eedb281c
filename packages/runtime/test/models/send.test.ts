import { execFile } from "node:child_process";
import { once } from "node:events";
import { type RequestListener, type Server, createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { toFault } from "../../src/models/ai-sdk/faults.ts";
import { headersTo, send } from "../../src/models/ai-sdk/send.ts";
import type { Begun } from "../../src/models/ai-sdk/sent.ts";

async function serving(answer: RequestListener, set: (server: Server) => void = () => {}) {
  let connections = 0;
  const server = createServer(answer).on("connection", () => void (connections += 1));
  set(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => (server.closeAllConnections(), void server.close()));
  const { port } = server.address() as AddressInfo;
  return { port, url: new URL(`http://127.0.0.1:${port}/v1`), connections: () => connections };
}

interface Whole {
  readonly begun: Begun | undefined;
  readonly text: string;
}

function asked(url: URL, given: Record<string, string> = {}, body = "{}"): Promise<Whole> {
  return new Promise((resolve, reject) => {
    let begun: Begun | undefined;
    let text = "";
    send(url, headersTo(url, given), body, {
      began: (response) => void (begun = response),
      heard: (bytes) => void (text += Buffer.from(bytes).toString()),
      ended: () => resolve({ begun, text }),
      failed: reject,
    });
  });
}

describe("a request to a model", () => {
  it("says what it is given instead of what it would say, whatever the case", async () => {
    const { url } = await serving((request, response) => response.end(JSON.stringify(request.rawHeaders)));
    const { text } = await asked(
      url,
      { "User-Agent": "mine", "Accept-Encoding": "gzip", "X-Key": "k" },
      "“é”",
    );
    const heard = JSON.parse(text) as string[];
    const said = heard.flatMap((name, at) => (at % 2 === 0 ? [[name, heard[at + 1]]] : []));
    expect(said.filter(([name]) => /user-agent|encoding|x-key|content-length/i.test(String(name)))).toEqual([
      ["user-agent", "mine"],
      ["accept-encoding", "identity"],
      ["x-key", "k"],
      ["content-length", "8"],
    ]);
  });

  it("says nothing of its connection that it is given", async () => {
    const { url } = await serving((request, response) => response.end(JSON.stringify(request.headers)));
    const given = {
      "Content-Length": "5",
      Expect: "x",
      "keep-alive": "x",
      "Transfer-Encoding": "x",
      upgrade: "x",
    };
    expect(JSON.parse((await asked(url, { ...given, "x-mine": "1" })).text)).toEqual({
      ...headersTo(url, { "x-mine": "1" }),
      connection: "keep-alive",
      "content-length": "2",
      host: url.host,
    });
  });

  it("has the name and the word that stand in its address, unless it has a key", async () => {
    const { port } = await serving((request, response) => response.end(request.headers.authorization));
    const url = new URL(`http://me:p%20w@127.0.0.1:${port}/`);
    expect((await asked(url)).text).toBe(`Basic ${btoa("me:p w")}`);
    expect((await asked(url, { Authorization: "Bearer k" })).text).toBe("Bearer k");
  });

  it("uses the connection of the one before, at once", async () => {
    const { url, connections } = await serving((_, response) => response.end("a"));
    for (let i = 0; i < 20; i++) await asked(url);
    expect(connections()).toBe(1);
  });

  it("waits for no other", async () => {
    const held: (() => void)[] = [];
    const { url, connections } = await serving((_, response) => {
      held.push(() => response.end("a"));
      if (held.length === 60) for (const end of held) end();
    });
    await Promise.all(Array.from({ length: 60 }, () => asked(url)));
    expect(connections()).toBe(60);
  });

  it.each([
    ["and says so", 1],
    ["and does not say so", 0],
  ])("gets through to a server that closes connections that nobody uses, %s", async (_, hint) => {
    const { url, connections } = await serving(
      (_request, response) => {
        if (hint === 0) response.setHeader("connection", "keep-alive");
        response.end("a");
      },
      (server) => {
        server.keepAliveTimeout = 30;
        Object.assign(server, { keepAliveTimeoutBuffer: 0 });
      },
    );
    for (let i = 0; i < 4; i++) {
      expect((await asked(url)).text).toBe("a");
      await wait(80);
    }
    expect(connections()).toBeGreaterThan(1);
  });

  it("goes on to where its server sends it, and to no other server", async () => {
    const other = await serving((_, response) => response.end("other"));
    const { url } = await serving((request, response) => {
      const location = { "/v1": "/v2", "/v2": `http://127.0.0.1:${other.port}/` }[request.url ?? ""];
      response.writeHead(307, { location }).end("moved");
    });
    expect(await asked(url)).toMatchObject({ begun: { status: 307 }, text: "moved" });
    expect(other.connections()).toBe(0);
  });

  it("is answered by a server that says to go on, though nobody asked", async () => {
    const server = createTcpServer((socket) => {
      socket.once("data", () => {
        const answer = "HTTP/1.1 200 OK\r\ncontent-length: 3\r\nconnection: close\r\n\r\nyes";
        socket.end(`HTTP/1.1 100 Continue\r\n\r\n${answer}`);
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // It is known only then, and nothing is sent twice by itself.
    await expect(asked(url)).rejects.toThrow("bad response");
    expect((await asked(url)).text).toBe("yes");
  });

  it("is sent on five times, not for ever", async () => {
    let times = 0;
    const { url } = await serving((_, response) => {
      times += 1;
      response.writeHead(308, { location: "/v1" }).end();
    });
    expect(await asked(url)).toMatchObject({ begun: { status: 308 } });
    expect(times).toBe(6);
  });

  it("reads what is packed, and hears where it breaks off", async () => {
    const packed = gzipSync("a".repeat(300_000));
    const { url } = await serving((request, response) => {
      response.setHeader("content-encoding", " GZIP");
      response.end(request.url === "/v1" ? packed : packed.subarray(0, 40));
    });
    expect((await asked(url)).text).toHaveLength(300_000);
    await expect(asked(new URL("/half", url))).rejects.toThrow("unexpected end of file");
  });

  it("stops reading while nobody takes what comes", async () => {
    let sent = 0;
    const { url } = await serving((_, response) => {
      const more = (): void => {
        while (sent < 64 && response.write(Buffer.alloc(1 << 20))) sent += 1;
        if (sent++ < 64) response.once("drain", more);
        else response.end();
      };
      more();
    });
    let bytes = 0;
    const over = Promise.withResolvers<void>();
    const it = send(url, headersTo(url, {}), "{}", {
      began: () => it.pause(),
      heard: (some) => void (bytes += some.length),
      ended: over.resolve,
      failed: over.reject,
    });
    await wait(150);
    expect(sent).toBeLessThan(40);
    it.resume();
    await over.promise;
    expect(bytes).toBeGreaterThan(60 << 20);
  });
});

describe("a request that comes to nothing", () => {
  const faultOf = async (url: URL) => toFault(await asked(url).catch((error: unknown) => error), []);

  it("never reached a server that is not there", async () => {
    const { port } = await new Promise<AddressInfo>((resolve) => {
      const server = createTcpServer().listen(0, "127.0.0.1", () => {
        const at = server.address() as AddressInfo;
        server.close(() => resolve(at));
      });
    });
    for (const host of ["127.0.0.1", "localhost"])
      expect(await faultOf(new URL(`http://${host}:${port}/`))).toMatchObject({
        kind: "unavailable",
        unsent: true,
      });
    expect(await faultOf(new URL("http://nobody.invalid/"))).toMatchObject({
      kind: "unavailable",
      unsent: true,
    });
  });

  it.each([
    ["before it answers", ""],
    ["in its first line", "HTTP/1.1 2"],
    ["within its answer", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"],
    ["with something else", "What?\r\n\r\n"],
  ])("may have cost something where the server hangs up %s", async (_, said) => {
    const server = createTcpServer((socket) =>
      socket.on("error", () => {}).once("data", () => socket.end(said)),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await faultOf(new URL(`http://127.0.0.1:${port}/`))).toMatchObject({
      kind: "unavailable",
      unsent: false,
    });
  });

  it.each(["http", "https"])("is given up over %s, and its connection with it", async (protocol) => {
    const [opened, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // Says nothing: over TLS the connection is never made.
    const server = createTcpServer((socket) => {
      socket.on("error", () => {}).on("close", () => closed.resolve());
      socket.once("data", () => opened.resolve());
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const url = new URL(`${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const failed = Promise.withResolvers<unknown>();
    const nothing = (): void => {};
    const it = send(url, {}, "{}", {
      began: nothing,
      heard: nothing,
      ended: nothing,
      failed: failed.resolve,
    });
    await opened.promise;
    const reason = new Error("enough");
    it.stop(reason);
    expect(await failed.promise).toBe(reason);
    await closed.promise;
  });
});

it("loads no more of undici than sends, and nothing that changes what `fetch` sends with", async () => {
  const file = fileURLToPath(new URL("../../src/models/ai-sdk/send.ts", import.meta.url));
  const look = `await import(process.argv[1]);
    const { createRequire } = await import("node:module");
    console.log(JSON.stringify(Object.keys(createRequire(process.argv[1]).cache)));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", look, file]);
  const loaded = (JSON.parse(stdout) as string[]).filter((name) => name.includes("/undici/"));
  expect(loaded.some((name) => name.endsWith("dispatcher/agent.js"))).toBe(true);
  expect(loaded.some((name) => /undici\/(index|lib\/global)\.js$/.test(name))).toBe(false);
});
