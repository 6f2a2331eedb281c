import { join } from "node:path";

/** Where people and their programs keep keys and sessions, from the home directory. */
const SECRETS = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".oci",
  ".config/fairlead",
  ".config/gcloud",
  ".config/gh",
  ".config/hub",
  ".config/glab-cli",
  ".config/op",
  ".config/doctl",
  ".config/rclone",
  ".config/git/credentials",
  ".config/google-chrome",
  ".config/chromium",
  ".mozilla",
  ".password-store",
  ".local/share/keyrings",
  ".git-credentials",
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".vault-token",
  ".terraform.d",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".claude",
  ".claude.json",
  ".codex",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".node_repl_history",
];

/** Files and directories of a home that no command of an agent needs to see. Some will not be there. */
export function secretPlaces(home: string): readonly string[] {
  return SECRETS.map((path) => join(home, path));
}
