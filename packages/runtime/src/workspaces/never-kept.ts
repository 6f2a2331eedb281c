/**
 * What is never kept of a project, whatever its rules say: where secrets are, and, where a session works in the project
 * itself, what tools make again. What is committed stays as it was. Of secrets it is all that the policy `credentials` knows by
 * name, which a test sees to, and some more.
 */
const SECRET_DIRECTORIES = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".gcloud",
  ".oci",
  ".terraform.d",
  ".password-store",
] as const;

/** Data of ours, with logs and keys, also of a process other than this one. */
const OURS = ".fairlead";

const MADE_AGAIN = ["node_modules", ".venv", "__pycache__", OURS] as const;

/** Names of files, `*` at one end. A directory of such a name is as secret. */
const SECRET_NAMES = [
  ".env*",
  "*.env",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".htpasswd",
  ".dockercfg",
  ".vault-token",
  ".s3cfg",
  ".boto",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".psql_history",
  "id_rsa*",
  "id_dsa*",
  "id_ecdsa*",
  "id_ed25519*",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.jks",
  "*.keystore",
  "*.kdbx",
  "*.ppk",
  "*.asc",
  "*.tfstate",
  "*.tfstate.backup",
] as const;

/** Of files alone: a directory of such a name is somebody's code. */
const SECRET_FILES: ReadonlySet<string> = new Set([
  "login data",
  "cookies",
  "cookies.sqlite",
  "key3.db",
  "key4.db",
  "logins.json",
  "wallet.dat",
  "local state",
  "wp-config.php",
  "ntds.dit",
]);

/** What takes a look at more than one name, in small letters. */
const SECRET_PATHS = [
  /(^|\/)\.config\/(gcloud|gh|hub|op|sops|rclone|fairlead)(\/|$)/,
  /(^|\/)\.(gem|cargo)\/credentials(\.toml)?$/,
  /(^|\/)(credentials|secrets?|service[-_]account[^/]*|client_secret[^/]*)\.(json|ya?ml|toml|ini|txt|enc)$/,
];

/** Directories that need not be walked to know that nothing in them is kept, as patterns of git. */
export const PRUNED: readonly string[] = [...MADE_AGAIN, ...SECRET_DIRECTORIES, ...SECRET_NAMES].map(
  (name) => `${name}/`,
);

const EXACT: ReadonlySet<string> = new Set([...SECRET_DIRECTORIES, ...SECRET_NAMES]);
const BEGINNINGS = SECRET_NAMES.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
const ENDINGS = SECRET_NAMES.filter((name) => name.startsWith("*")).map((name) => name.slice(1));
const AGAIN: ReadonlySet<string> = new Set(MADE_AGAIN);

/** Of a path with `/`, also at the end of a directory: whether a name on the way says that it may hold a secret, in whatever case. */
function isSecret(path: string): boolean {
  const small = path.toLowerCase();
  const names = small.split("/");
  return (
    SECRET_PATHS.some((pattern) => pattern.test(small)) ||
    SECRET_FILES.has(names.at(-1) ?? "") ||
    names.some(
      (name) =>
        EXACT.has(name) ||
        BEGINNINGS.some((text) => name.startsWith(text)) ||
        ENDINGS.some((text) => name.endsWith(text)),
    )
  );
}

/** Whether tools make it again, so that to leave it out is not worth a word. */
export function isMadeAgain(path: string): boolean {
  return path
    .toLowerCase()
    .split("/")
    .some((name) => AGAIN.has(name));
}

/** Whether it is left out of a place of its own that a session gets. What tools make may have such names, and tests need it. */
export function mayBeSecret(path: string): boolean {
  return path.toLowerCase().split("/").includes(OURS) || (isSecret(path) && !isMadeAgain(path));
}

export function isNeverKept(path: string): boolean {
  return isSecret(path) || isMadeAgain(path);
}
