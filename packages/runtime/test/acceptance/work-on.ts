import type { HealthyRow, SessionDetail } from "@fairlead/contract";
import { expect } from "vitest";
import type { Site } from "../server/support.ts";

export interface Frame {
  readonly type: string;
  readonly id: string;
  readonly seq: number;
  readonly payload: Record<string, unknown>;
}

/** Background work over HTTP, as a client has it. */
export function workOn(site: () => Site) {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await site().call(path, { method, ...(body === undefined ? {} : { body }) });
    const json = (await response.json()) as T;
    expect({ path, status: response.status, json }).toMatchObject({
      status: method === "POST" && path === "/sessions" ? 201 : 200,
    });
    return json;
  }
  const start = (task: string, more: object = {}) => call<HealthyRow>("POST", "/sessions", { task, ...more });
  const detail = (id: string) => call<SessionDetail>("GET", `/sessions/${id}`);

  async function until(id: string, status: string): Promise<SessionDetail> {
    for (let looks = 0; looks < 1_000; looks++) {
      const now = await detail(id);
      if (now.status === status) return now;
      await new Promise<void>((resolve) => void setTimeout(resolve, 10));
    }
    throw new Error(`It is not ${status}, but ${(await detail(id)).status}.`);
  }

  async function frames(id: string): Promise<readonly Frame[]> {
    return (await call<{ events: Frame[] }>("GET", `/sessions/${id}/events?limit=1000`)).events;
  }
  return { call, start, detail, until, frames };
}
