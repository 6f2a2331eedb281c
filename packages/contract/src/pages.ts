/**
 * The addresses of the web page, for people; the API has others. Each is answered with the same document, which
 * looks at the address itself. An address that is neither a page nor a route stays a 404.
 */
export const PAGES = {
  inbox: "/",
  sessions: "/s",
  session: "/s/{id}",
  compare: "/s/{id}/compare/{other}",
  question: "/a/{id}",
  approvals: "/a",
  start: "/new",
} as const;
export type PageName = keyof typeof PAGES;
