import { request as httpRequest } from "node:http";
import { ROUTES } from "@fairlead/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { errorOf, openSse, type Site, startSite } from "./support.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite({ config: { allowHosts: ["fairlead.example", "other.example:8443"] } });
});
afterAll(() => site.close());

interface Plain {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** Unlike fetch, sends any Host, Origin and Cookie. */
function send(path: string, headers: Record<string, string>, method = "GET", body?: string): Promise<Plain> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port: site.port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.on("error", reject).end(body);
  });
}

const code = (answer: Plain): string => (JSON.parse(answer.text) as { code: string }).code;

describe("Host", () => {
  test.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "fairlead.localhost"])(
    "%s with our port is us",
    async (name) => {
      expect((await send("/healthz", { host: `${name}:${site.port}` })).status).toBe(200);
    },
  );

  test.each(["fairlead.example", "fairlead.example:443", "other.example:8443"])(
    "%s was allowed",
    async (host) => {
      expect((await send("/healthz", { host })).status).toBe(200);
    },
  );

  test.each([
    "evil.example",
    "127.0.0.1",
    "localhost",
    "localhost:1",
    "127.0.0.1.evil.example",
    "other.example",
    "192.168.1.7:4680",
    "user@localhost",
    "localhost:4680:4680",
    "[::1",
  ])("%j is not, whoever asks", async (host) => {
    for (const path of ["/healthz", "/sessions", "/", "/nothing"]) {
      const answer = await send(path, { host, authorization: `Bearer ${site.tokens.admin}` });
      expect([answer.status, code(answer)]).toEqual([403, "bad_host"]);
    }
  });

  test("DNS rebinding: evil.example now points here, and the browser sends along nothing of ours", async () => {
    const host = `evil.example:${site.port}`;
    const answer = await send("/sessions", {
      host,
      origin: `http://${host}`,
      authorization: `Bearer ${site.tokens.admin}`,
    });
    expect(code(answer)).toBe("bad_host");
  });
});

describe("Origin", () => {
  const auth = () => ({ authorization: `Bearer ${site.tokens.admin}` });
  const us = () => `127.0.0.1:${site.port}`;

  test("our own pages may call", async () => {
    expect((await send("/sessions", { ...auth(), host: us(), origin: `http://${us()}` })).status).toBe(200);
  });

  test("other pages may not, even with a token", async () => {
    const others = [
      "http://evil.example",
      "null",
      `https://${us()}`,
      `http://localhost:${site.port}`,
      "http://127.0.0.1:3000",
      `http://${us()}.evil.example`,
      "nonsense",
      "",
    ];
    for (const origin of others) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const answer = await send("/chat/sessions", { ...auth(), host: us(), origin }, method);
        expect([origin, answer.status, code(answer)]).toEqual([origin, 403, "bad_origin"]);
      }
    }
  });
});

describe("sign-in", () => {
  const cookieOf = (answer: Plain): string => String(answer.headers["set-cookie"]).split(";")[0]!;
  const host = () => ({ host: `127.0.0.1:${site.port}` });
  const own = () => ({ origin: `http://127.0.0.1:${site.port}` });

  async function signIn(): Promise<string> {
    const { url } = site.server.signInLink({ name: "owner", role: "admin", project: null });
    return cookieOf(await send(url.slice(site.url.length), host()));
  }

  async function linkOf(proof: Record<string, string>): Promise<string> {
    const { url } = JSON.parse((await send("/auth/links", { ...host(), ...proof }, "POST")).text);
    return url.slice(site.url.length);
  }

  test("a link works once and sets a cookie that only our pages can use", async () => {
    const { url, expires_at } = site.server.signInLink({ name: "owner", role: "operator", project: null });
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(10 * 60_000);
    const path = url.slice(site.url.length);
    const first = await send(path, host());
    expect([first.status, first.headers["location"]]).toEqual([ROUTES.signIn.status, "/"]);
    expect(String(first.headers["set-cookie"])).toMatch(
      /^fairlead_session=\S+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/,
    );
    const me = await send("/", { ...host(), cookie: cookieOf(first) });
    expect(me.text).toContain("Signed in as <strong>owner</strong> (operator");
    const second = await send(path, host());
    expect(second.status).toBe(401);
    expect(second.headers["content-type"]).toContain("text/html");
    expect(second.text).toContain("npm run fairlead -- link");
    const sameBrowser = await send(path, { ...host(), cookie: cookieOf(first) });
    expect([sameBrowser.status, sameBrowser.headers["location"]]).toEqual([ROUTES.signIn.status, "/"]);
  });

  test("the code is nowhere in the log", async () => {
    const { url } = site.server.signInLink({ name: "owner", role: "operator", project: null });
    await send(url.slice(site.url.length), host());
    expect(JSON.stringify(site.logged)).not.toContain(url.split("code=")[1]);
  });

  test("reading works with the cookie; changing only from a page of ours", async () => {
    const cookie = await signIn();
    const post = (headers: Record<string, string>) =>
      send(
        "/chat/sessions",
        { ...host(), cookie, "content-type": "application/json", ...headers },
        "POST",
        "{}",
      );
    expect((await send("/sessions", { ...host(), cookie })).status).toBe(200);
    expect((await post(own())).status).toBe(201);
    expect((await post({ "sec-fetch-site": "same-origin" })).status).toBe(201);
    for (const headers of [
      {},
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "none" },
    ]) {
      const answer = await post(headers as Record<string, string>);
      expect([answer.status, code(answer)]).toEqual([403, "bad_origin"]);
    }
  });

  test("a page on another port of this machine cannot read with the cookie", async () => {
    const cookie = await signIn();
    for (const site of ["same-site", "cross-site"]) {
      const answer = await send("/sessions", {
        ...host(),
        cookie,
        "sec-fetch-site": site,
        "sec-fetch-mode": "no-cors",
      });
      expect(code(answer)).toBe("bad_origin");
    }
  });

  test("a link followed from elsewhere: the page asks again, so that the cookie comes along", async () => {
    const answer = await send("/", {
      ...host(),
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
    });
    expect(answer.text).toContain('http-equiv="refresh"');
  });

  test("signing out revokes the credential and deletes the cookie", async () => {
    const cookie = await signIn();
    const out = await send("/auth/logout", { ...host(), ...own(), cookie }, "POST");
    expect(out.status).toBe(204);
    expect(String(out.headers["set-cookie"])).toContain("Max-Age=0");
    expect((await send("/sessions", { ...host(), cookie })).status).toBe(401);
  });

  test("a link made through the API has the role and project of who asked", async () => {
    const viewer = (await site.token("viewer", "red", "vera")).secret;
    const made = await site.call("/auth/links", { method: "POST", as: viewer });
    const { url } = (await made.json()) as { url: string };
    const cookie = cookieOf(await send(url.slice(site.url.length), host()));
    expect((await send("/", { ...host(), cookie })).text).toContain(
      "<strong>vera</strong> (viewer, project <strong>red</strong>)",
    );
    expect((await send("/tokens", { ...host(), cookie })).status).toBe(403);
  });

  test("what a link gives lasts no longer than the token that asked for it", async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const { secret, token } = await site.runtime.services.tokens.create(SYSTEM_ACTOR, {
      actor: "temp",
      role: "operator",
      expires_at,
    });
    const first = await linkOf({ authorization: `Bearer ${secret}` });
    const signedIn = await send(first, host());
    const age = Number(/Max-Age=(\d+)/.exec(String(signedIn.headers["set-cookie"]))?.[1]);
    expect(age).toBeGreaterThan(50);
    expect(age).toBeLessThanOrEqual(60);
    const cookie = cookieOf(signedIn);
    // And so on for the links that the browser asks for.
    const again = cookieOf(await send(await linkOf({ cookie, ...own() }), host()));
    const unused = await linkOf({ cookie: again, ...own() });
    const stream = await openSse(site, `/sessions/${await site.session()}/events/stream`, {
      as: null,
      headers: { cookie: again },
    });
    const status = async () =>
      Promise.all(
        [cookie, again].map(async (one) => (await send("/sessions", { ...host(), cookie: one })).status),
      );
    expect(await status()).toEqual([200, 200]);
    expect((await site.call(`/tokens/${token.token_id}`, { method: "DELETE" })).status).toBe(204);
    expect(await status()).toEqual([401, 401]);
    await stream.ended;
    expect(stream.frames.at(-1)).toMatchObject({
      event: "end",
      data: expect.stringContaining("unauthorized"),
    });
    const dead = await send(unused, host());
    expect([dead.status, dead.headers["set-cookie"]]).toEqual([401, undefined]);
  });

  test("a link of `serve` or of the CLI's own token stands by itself, for 12 hours", async () => {
    const made = await site.runtime.services.tokens.create(SYSTEM_ACTOR, {
      actor: "cli",
      role: "admin",
      purpose: "cli",
    });
    const answer = await send(await linkOf({ authorization: `Bearer ${made.secret}` }), host());
    expect(String(answer.headers["set-cookie"])).toMatch(/Max-Age=43(199|200)$/);
    // As when its server stops.
    await site.runtime.services.tokens.revoke(SYSTEM_ACTOR, made.token.token_id);
    expect((await send("/sessions", { ...host(), cookie: cookieOf(answer) })).status).toBe(200);
  });

  test("links of links of links come to an end", async () => {
    let proof: Record<string, string> = { authorization: `Bearer ${site.tokens.viewer}` };
    let answer: Plain | undefined;
    for (let step = 0; step < 10; step++) {
      answer = await send(await linkOf(proof), host());
      if (answer.status !== ROUTES.signIn.status) break;
      proof = { cookie: cookieOf(answer), ...own() };
      expect((await send("/sessions", { ...host(), ...proof })).status).toBe(200);
    }
    expect(code(answer!)).toBe("forbidden");
  });

  test("a browser on this machine gets a name of our own, so that no other port gets the cookie", async () => {
    const { url, browser_url } = site.server.signInLink({ name: "owner", role: "admin", project: null });
    const named = `fairlead.localhost:${site.port}`;
    expect(browser_url).toBe(url.replace(`127.0.0.1:${site.port}`, named));
    const answer = await send(url.slice(site.url.length), { host: named });
    // Host-only: without Domain it goes to this very name and to no other.
    expect(String(answer.headers["set-cookie"])).not.toMatch(/domain/i);
    const cookie = cookieOf(answer);
    const post = { host: named, cookie, "content-type": "application/json" };
    expect((await send("/chat/sessions", { ...post, origin: `http://${named}` }, "POST", "{}")).status).toBe(
      201,
    );
    expect(code(await send("/chat/sessions", { ...post, ...own() }, "POST", "{}"))).toBe("bad_origin");
    expect(code(await send("/healthz", { host: `evil.localhost:${site.port}` }))).toBe("bad_host");
    const made = JSON.parse((await send("/auth/links", { ...host(), ...own(), cookie }, "POST")).text);
    expect(made.browser_url).toMatch(`http://${named}/auth/login?code=`);
    const elsewhere = { host: "fairlead.example", origin: "http://fairlead.example", cookie };
    const other = JSON.parse((await send("/auth/links", elsewhere, "POST")).text);
    expect(other.browser_url).toBe(other.url);
  });

  test("a header that cannot be read is not made up for by a cookie", async () => {
    const cookie = await signIn();
    for (const authorization of ["Basic YTpi", "Bearer", "Bearer a b", "nonsense"]) {
      expect((await send("/sessions", { ...host(), cookie, authorization })).status).toBe(401);
    }
  });

  test("behind https the cookie is Secure and only https pages are ours", async () => {
    const secure = await startSite({ config: { secure: true } });
    const { url } = secure.server.signInLink({ name: "owner", role: "admin", project: null });
    expect(url).toMatch(/^https:/);
    const answer = await fetch(url.replace("https:", "http:"), { redirect: "manual" });
    expect(answer.headers.get("set-cookie")).toMatch(/; Secure$/);
    await secure.close();
  });
});

test("pages: nothing from elsewhere, names escaped, readable without a script", async () => {
  const evil = (await site.token("viewer", null, '<img src=x onerror="1">')).secret;
  const home = await site.call("/", { as: evil });
  const text = await home.text();
  expect(text).toContain("&lt;img src=x onerror=&quot;1&quot;&gt;");
  expect(text).not.toContain("<img");
  for (const page of [home, await site.call("/docs", { as: null })]) {
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
  }
  const docs = await (await site.call("/docs", { as: null })).text();
  expect((await site.call("/", { method: "HEAD" })).status).toBe(200);
  expect(docs).not.toMatch(/<script|https?:\/\/|@import|url\(/);
  expect(docs).toContain("/sessions/{id}/events/stream");
  expect(docs).toContain("prefers-color-scheme: dark");
});

test("bad input shows no more of itself than its start", async () => {
  const answer = await errorOf(await site.call(`/sessions?${"k".repeat(3000)}=1`));
  expect(answer.code).toBe("bad_request");
  expect(JSON.stringify(answer.body).length).toBeLessThan(600);
});

test("a stream works with a cookie", async () => {
  const { url } = site.server.signInLink({ name: "owner", role: "viewer", project: null });
  const signedIn = await send(url.slice(site.url.length), { host: `127.0.0.1:${site.port}` });
  const cookie = String(signedIn.headers["set-cookie"]).split(";")[0]!;
  const session = await site.session();
  const stream = await openSse(site, `/sessions/${session}/events/stream`, { as: null, headers: { cookie } });
  await stream.until((frames) => frames.length >= 1);
  stream.close();
});
