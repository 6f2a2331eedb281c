/**
 * What is never kept of a project that a session works in without a place of its own, whatever its rules say: where secrets
 * are, and what tools make again. Names of files or directories; `*` stands at one end. What is committed stays as it was.
 */
export const NEVER_KEPT = [
  ".env*",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.kdbx",
  "id_rsa*",
  "id_ecdsa*",
  "id_ed25519*",
  ".netrc",
  ".pgpass",
  ".git-credentials",
  ".ssh",
  ".gnupg",
  ".aws",
  ".fairlead",
  "node_modules",
  ".venv",
  "__pycache__",
] as const;

const EXACT: ReadonlySet<string> = new Set(NEVER_KEPT.filter((name) => !name.includes("*")));
const BEGINNINGS = NEVER_KEPT.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
const ENDINGS = NEVER_KEPT.filter((name) => name.startsWith("*")).map((name) => name.slice(1));

/** Of a path with `/`: whether any name on the way is one of them, in whatever case. */
export function isNeverKept(path: string): boolean {
  return path
    .toLowerCase()
    .split("/")
    .some(
      (name) =>
        EXACT.has(name) ||
        BEGINNINGS.some((text) => name.startsWith(text)) ||
        ENDINGS.some((text) => name.endsWith(text)),
    );
}
