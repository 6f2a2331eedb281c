import { type CockpitAssets, loadCockpit } from "@fairlead/runtime/serve";

/**
 * The web page, built when its sources are newer than what is there. A server without it is better than none: what
 * goes wrong is said, and a plain start page is served instead.
 */
export async function openCockpit(note: (text: string) => void): Promise<CockpitAssets | undefined> {
  try {
    const { buildCockpit } = await import("@fairlead/cockpit/build");
    return loadCockpit(await buildCockpit({ progress: note }));
  } catch (error) {
    note(
      `The web page could not be built, so only a plain start page is served: ${(error as Error).message}`,
    );
    return undefined;
  }
}
