import { describe, expect, it } from "vitest";

import { SERVER_CHECKS } from "../src/conformance/checks/index.ts";
import { CLIENT_CHECKS } from "../src/conformance/client-checks/index.ts";
import { CLIENT_MUTANTS } from "../src/conformance/mutants/clients.ts";
import { SERVER_MUTANTS } from "../src/conformance/mutants/servers.ts";
import { TRANSPORT_MUTANTS } from "../src/conformance/mutants/transports.ts";
import { REQUIREMENTS } from "../src/conformance/requirements.ts";
import { runClient } from "../src/conformance/run-client.ts";
import { runMutants } from "../src/conformance/run-mutants.ts";
import { runServer } from "../src/conformance/run-server.ts";
import { stage } from "../src/conformance/stage.ts";
import { TRANSPORTS } from "../src/conformance/transports.ts";
import { AHP_ERRORS } from "../src/protocol/errors.ts";
import { EVENT_TYPES } from "../src/protocol/events.ts";

const idsOf = (side: "server" | "client") =>
  REQUIREMENTS.filter((requirement) => requirement.side === side).map(({ id }) => id);

describe("the manifest", () => {
  it("names each requirement once, and says where it applies", () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { transports } of REQUIREMENTS) expect(transports.length).toBeGreaterThan(0);
  });

  it("has a check for each requirement, and no check without one", () => {
    expect(Object.keys(SERVER_CHECKS).toSorted()).toEqual(idsOf("server").toSorted());
    expect(Object.keys(CLIENT_CHECKS).toSorted()).toEqual(idsOf("client").toSorted());
  });

  it("asks of each event type what it does as request, notification and batch entry", () => {
    const ids = new Set(idsOf("server"));
    const ways = ["request", "notification", "batch"];
    const wanted = EVENT_TYPES.flatMap((type) => ways.map((way) => `event:${type}:${way}`));
    expect(wanted.filter((id) => !ids.has(id))).toEqual([]);
  });

  it("mentions every code that a server can answer with", () => {
    const said = REQUIREMENTS.map(({ behaviour }) => behaviour).join(" ");
    const codes = new Set(Object.values(AHP_ERRORS).map(({ rpc }) => rpc));
    for (const code of codes) expect(said).toContain(String(code));
  });
});

describe.each(TRANSPORTS)("on %s", (transport) => {
  it("our harness meets every requirement", { timeout: 60_000 }, async () => {
    const staged = await stage(transport);
    const outcomes = await runServer(staged);
    await staged.close();
    expect(outcomes.filter(({ status }) => status !== "pass")).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(200);
  });

  it("our client meets every requirement", { timeout: 60_000 }, async () => {
    const outcomes = await runClient(transport);
    expect(outcomes.filter(({ status }) => status !== "pass")).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(55);
  });
});

describe("mutants", () => {
  it("cite requirements that exist", () => {
    const ids = new Set(REQUIREMENTS.map(({ id }) => id));
    const cited = [...SERVER_MUTANTS, ...TRANSPORT_MUTANTS, ...CLIENT_MUTANTS].map(
      ({ caughtBy }) => caughtBy,
    );
    expect(cited.filter((id) => !ids.has(id))).toEqual([]);
  });

  it("are caught, each by the requirement that it breaks", { timeout: 60_000 }, async () => {
    const outcomes = await runMutants();
    expect(outcomes.filter(({ isCaught }) => !isCaught)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(70);
  });
});
