import { SYSTEM_STREAM } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { tokenIdOf } from "../../src/domain/token.ts";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { ADMIN, actor, codeOf, everything, handTime, world } from "../support/world.ts";

describe("a token", () => {
  it("speaks for its actor, and only its hash is kept", async () => {
    const w = world();
    const { secret, token } = await w.services.tokens.create(ADMIN, {
      actor: "ci",
      role: "operator",
      project: "home",
      label: "build",
    });
    expect(token).toEqual({
      token_id: "tok_0001",
      actor: "ci",
      role: "operator",
      project: "home",
      label: "build",
      purpose: "api",
      created_at: "2026-01-01T00:00:00.000Z",
      created_by: "root",
      expires_at: null,
      revoked_at: null,
    });
    expect(await w.services.tokens.authenticate(secret)).toEqual({
      name: "ci",
      role: "operator",
      project: "home",
      token_id: "tok_0001",
    });
    expect(JSON.stringify(await everything(w.log, SYSTEM_STREAM))).not.toContain(secret.slice(-24));
    expect(JSON.stringify(await w.services.tokens.list(ADMIN))).not.toContain("secret_hash");
  });

  it("is nobody's when it is wrong, another's, revoked or past its time", async () => {
    const w = world();
    const { tokens } = w.services;
    const expires_at = new Date(w.time.clock.now() + 1_000).toISOString();
    const one = await tokens.create(ADMIN, { actor: "a", role: "viewer", expires_at });
    const two = await tokens.create(ADMIN, { actor: "b", role: "admin" });
    const swapped = `flt_${two.token.token_id.slice(4)}_${one.secret.split("_").slice(2).join("_")}`;
    for (const bad of [
      "",
      "flt_",
      "Bearer x",
      swapped,
      `${one.secret}x`,
      one.secret.slice(0, -1),
      "flt_none_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "tok_0001",
    ]) {
      expect([bad, await tokens.authenticate(bad)]).toEqual([bad, undefined]);
    }
    expect(await tokens.authenticate(one.secret)).toBeDefined();
    await w.time.advance(1_000);
    expect(await tokens.authenticate(one.secret)).toBeUndefined();
    await tokens.revoke(ADMIN, two.token.token_id);
    await tokens.revoke(ADMIN, two.token.token_id);
    expect(await tokens.authenticate(two.secret)).toBeUndefined();
    expect((await everything(w.log, SYSTEM_STREAM)).map((event) => event.type)).toEqual([
      "runtime.token.created",
      "runtime.token.created",
      "runtime.token.revoked",
    ]);
    expect((await tokens.list(ADMIN)).map((row) => row.revoked_at !== null)).toEqual([true, false]);
  });

  it("is managed by admins, within their own project; anyone may give up their own", async () => {
    const w = world();
    const { tokens } = w.services;
    const local = actor("admin", "boss", "home");
    const made = await tokens.create(local, { actor: "ci", role: "admin" });
    expect(made.token.project).toBe("home");
    const wide = await tokens.create(ADMIN, { actor: "x", role: "viewer" });
    const before = (await w.log.readAll()).events.length;
    expect(await codeOf(tokens.create(local, { actor: "x", role: "viewer", project: "work" }))).toBe(
      "forbidden",
    );
    expect(await codeOf(tokens.create(actor("operator"), { actor: "x", role: "viewer" }))).toBe("forbidden");
    expect(
      await codeOf(tokens.create(ADMIN, { actor: "x", role: "viewer", expires_at: "2020-01-01T00:00:00Z" })),
    ).toBe("bad_request");
    expect(await codeOf(tokens.create(ADMIN, { actor: "x", role: "viewer", expires_at: "soon" }))).toBe(
      "bad_request",
    );
    expect(await codeOf(tokens.list(actor("operator")))).toBe("forbidden");
    expect(await codeOf(tokens.revoke(local, wide.token.token_id))).toBe("token_not_found");
    expect(await codeOf(tokens.revoke(actor("viewer"), made.token.token_id))).toBe("forbidden");
    expect(await codeOf(tokens.revoke(ADMIN, "tok_none"))).toBe("token_not_found");
    expect((await w.log.readAll()).events.length).toBe(before);
    expect((await tokens.list(local)).map((row) => row.token_id)).toEqual([made.token.token_id]);
    const self = await tokens.authenticate(wide.secret);
    await tokens.revoke(self as NonNullable<typeof self>, wide.token.token_id);
    expect(await tokens.authenticate(wide.secret)).toBeUndefined();
  });

  it("can be made by several processes at once, though the first also makes the system stream", async () => {
    const time = handTime();
    const store = openMemoryStore({ clock: time.clock });
    const worlds = ["a", "b", "c"].map((mark) => world({ time, store, mark }));
    const made = await Promise.all(
      worlds.map(({ services }) => services.tokens.create(ADMIN, { actor: "x", role: "viewer" })),
    );
    for (const { secret } of made)
      expect(await worlds[0]?.services.tokens.authenticate(secret)).toBeDefined();
  });

  it("has a secret that says which row it belongs to", () => {
    expect(tokenIdOf(`flt_01abc_${"x".repeat(43)}`)).toBe("tok_01abc");
    expect(tokenIdOf(`flt_01abc_short`)).toBeUndefined();
    expect(tokenIdOf(`flt_../..${"x".repeat(43)}`)).toBeUndefined();
  });
});
