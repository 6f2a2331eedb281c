import { describe, expect, it } from "vitest";
import { nativeEngine } from "../../src/engines/native.ts";
import type { Engine } from "../../src/ports/engine.ts";
import { engineNamed } from "../../src/services/kernel/engines.ts";
import { errorOf, world } from "../support/world.ts";

const native = nativeEngine(world().services.turns);
const bridge: Engine = {
  ...native,
  id: "claude",
  fidelity: "bridge",
  parks: false,
  missing: () => "its program is not on this machine.",
};

describe("the engine of a session", () => {
  it("is our own where none is named, and says what it can", () => {
    expect(engineNamed([native, bridge])).toBe(native);
    expect(engineNamed([native, bridge], "native")).toMatchObject({ fidelity: "native", parks: true });
  });

  it("is refused by a name that nobody knows, with those that there are", async () => {
    const refused = await errorOf((async () => engineNamed([native, bridge], "steam"))());
    expect(refused).toMatchObject({
      code: "engine_unknown",
      details: { engine: "steam", engines: ["native"] },
    });
  });

  it("is refused with the reason where it is known and cannot be used", async () => {
    const refused = await errorOf((async () => engineNamed([native, bridge], "claude"))());
    expect(refused).toMatchObject({
      code: "engine_not_installed",
      message: expect.stringContaining("its program is not on this machine."),
    });
    // Nobody brought it along.
    expect(await errorOf((async () => engineNamed([native], "codex"))())).toMatchObject({
      code: "engine_not_installed",
    });
  });
});
