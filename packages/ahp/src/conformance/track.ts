import type { Target } from "./target.ts";
import type { Wire } from "./wires/wire.ts";

/** The same target, remembering what was opened: a check that fails half-way leaves nothing behind. */
export function track(target: Target): { tracked: Target; closeAll(): Promise<void> } {
  const opened = new Set<Wire>();

  function remember<Args extends unknown[]>(
    open: (...args: Args) => Promise<Wire>,
  ): (...args: Args) => Promise<Wire> {
    return async (...args) => {
      const wire = await open(...args);
      opened.add(wire);
      return wire;
    };
  }

  return {
    tracked: {
      ...target,
      open: remember(target.open),
      ...(target.openGeneric && { openGeneric: remember(target.openGeneric) }),
      ...(target.openGuarded && { openGuarded: remember(target.openGuarded) }),
      ...(target.openStranger && { openStranger: remember(target.openStranger) }),
      ...(target.openHttp && { openHttp: remember(target.openHttp) }),
    },
    async closeAll() {
      await Promise.all([...opened].map((wire) => wire.close()));
    },
  };
}
