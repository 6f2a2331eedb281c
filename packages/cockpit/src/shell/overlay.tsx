import { useEffect, useRef } from "react";
import { useKeys } from "../lib/keys.ts";
import { useStore } from "../lib/store.ts";
import { Help } from "./help.tsx";
import { Menu } from "./menu.tsx";
import { giveFocusBack, openPalette, overlay } from "./overlay-state.ts";
import { Palette } from "./palette.tsx";

/** Whatever lies over the page, and the keys that bring it there. */
export function Overlay() {
  const open = useStore(overlay);
  useKeys({ "/": openPalette, "?": () => overlay.set("help") });
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      overlay.set(overlay.get() === "palette" ? null : "palette");
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const before = useRef(open);
  useEffect(() => {
    // A dialog that is taken away open leaves the focus nowhere.
    if (open === null && before.current !== null) giveFocusBack();
    before.current = open;
  }, [open]);
  switch (open) {
    case "palette":
      return <Palette />;
    case "help":
      return <Help />;
    case "menu":
      return <Menu />;
    case null:
      return null;
  }
}
