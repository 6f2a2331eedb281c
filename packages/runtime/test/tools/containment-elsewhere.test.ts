import { expect, it, vi } from "vitest";
import { HANDLE_PATHS } from "../../src/host/handle-paths.ts";
import { containmentSuite } from "./containment-suite.ts";

// As on systems where a handle has no path.
vi.mock("../../src/host/handle-paths.ts", () => ({ HANDLE_PATHS: false }));

it("does without paths of handles", () => {
  expect(HANDLE_PATHS).toBe(false);
});

containmentSuite();
