import { buildCockpit } from "../packages/cockpit/build.ts";

/** Once for all tests: whoever serves the page, or starts a server, finds it built. */
export async function setup(): Promise<void> {
  // The tests of the page build it too, and fail with the reason; the others need not.
  await buildCockpit().catch((error: unknown) => console.error("The cockpit could not be built.", error));
}
