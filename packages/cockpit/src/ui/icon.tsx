/** Drawn with one stroke on a 24 grid; always beside text, or named by whoever holds it. */
const PATHS = {
  inbox: "M3 13h5l2 3h4l2-3h5M5 5h14l2 8v6H3v-6z",
  list: "M8 6h13M8 12h13M8 18h13M3.5 6h.01M3.5 12h.01M3.5 18h.01",
  check: "M4 12.5l5 5L20 6.5",
  cross: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  shield: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z",
  hand: "M8 12V5.5a1.5 1.5 0 013 0V11m0-6a1.5 1.5 0 013 0v6m0-4.5a1.5 1.5 0 013 0V15c0 4-2.5 6-6 6-3 0-4.5-1.5-6-4.5L4.5 14c-.8-1.6 1.3-2.7 2.3-1.3L8 14.5",
  clock: "M12 7v5l3 2M21 12a9 9 0 11-18 0 9 9 0 0118 0z",
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  stop: "M6 6h12v12H6z",
  warning: "M12 9v5M12 17.5h.01M10.3 4l-8 14a2 2 0 001.7 3h16a2 2 0 001.7-3l-8-14a2 2 0 00-3.4 0z",
  working: "M12 3a9 9 0 109 9",
  dot: "M12 9.5a2.5 2.5 0 110 5 2.5 2.5 0 010-5z",
  tool: "M14.5 6.5a4 4 0 00-5.3 4.9L4 16.6 7.4 20l5.2-5.2a4 4 0 004.9-5.3l-2.6 2.6-2.4-.6-.6-2.4z",
  spark:
    "M12 3l1.8 5.2L19 10l-5.2 1.800L12 17l-1.8-5.2L5 10l5.2-1.800zM19 16l.8 2.2L22 19l-2.2.8L19 22l-.8-2.2L16 19l2.2-.8z",
  person: "M12 12a4 4 0 100-8 4 4 0 000 8zM4 20.5c1.2-3.8 4.3-5.5 8-5.5s6.8 1.7 8 5.5",
  branch: "M6 4v16M6 15c0-4 12-2 12-7M18 4a2 2 0 110 4 2 2 0 010-4z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  search: "M11 18a7 7 0 100-14 7 7 0 000 14zM16 16l5 5",
  send: "M4 12l16-8-5 16-3.5-6.5z",
  queue: "M4 6h16M4 11h10M4 16h7M17 13v7m-3.5-3.5h7",
  steer: "M4 18c8 0 12-3 12-11M11 10l5-5 5 5",
  book: "M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  flag: "M5 21V4h13l-3 4.5L18 13H5",
  compact: "M5 5l6 6M11 6v5H6M19 19l-6-6M13 18v-5h5",
  down: "M12 5v14M6 13l6 6 6-6",
  chevron: "M9 6l6 6-6 6",
  sun: "M12 8a4 4 0 110 8 4 4 0 010-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  bug: "M8 8a4 4 0 018 0M7 9h10v6a5 5 0 01-10 0zM3 12h4M17 12h4M4 6l3 3M20 6l-3 3M4 20l3-3M20 20l-3-3M12 10v10",
  heart: "M12 20s-8-4.8-8-10.5A4.5 4.5 0 0112 7a4.5 4.5 0 018 2.5C20 15.2 12 20 12 20z",
  out: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  panel: "M3 5h18v14H3zM15 5v14",
  more: "M5 11a1 1 0 110 2 1 1 0 010-2zM12 11a1 1 0 110 2 1 1 0 010-2zM19 11a1 1 0 110 2 1 1 0 010-2z",
  bell: "M6 16V11a6 6 0 0112 0v5l2 2H4zM10 21h4",
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name, spin = false }: { readonly name: IconName; readonly spin?: boolean }) {
  return (
    <svg
      className={spin ? "icon spin" : "icon"}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
