import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isNeverKept } from "../../src/workspaces/never-kept.ts";

interface Policy {
  readonly rules: readonly { readonly id: string; readonly when: string }[];
}

const POLICY = parse(
  readFileSync(join(import.meta.dirname, "../../policies/credentials.yaml"), "utf8"),
) as Policy;

/** What the policy reads of paths. */
function patternOf(id: string): RegExp {
  const { when = "" } = POLICY.rules.find((rule) => rule.id === id) ?? {};
  return new RegExp(/r"\(\?im\)(.*?)"\)/s.exec(when)?.[1] ?? "never", "im");
}

const SECRETS = [
  "Login Data",
  "Local State",
  ...`.env .env.local .env.production .envrc a/.netrc _netrc .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf
  .git-credentials .htpasswd .dockercfg .vault-token .s3cfg .boto .gem/credentials
  .cargo/credentials.toml .bash_history .psql_history .aws/credentials .azure/x .kube/config
  .docker/config.json .gcloud/x .oci/config .terraform.d/x .password-store/x .config/gh/hosts.yml
  .config/gcloud/x .config/op/x credentials.json secret.yml deep/secrets.yaml service-account-1.json
  client_secret_x.json x.pem x.key x.p12 x.pfx x.jks x.keystore x.kdbx x.ppk x.asc terraform.tfstate
  terraform.tfstate.backup Cookies key4.db logins.json wallet.dat wp-config.php CREDENTIALS.JSON
  cookies.sqlite`.split(/\s+/),
];
const KEYS = ["id_rsa", "ID_ED25519", "id_dsa.bak", ".ssh", ".ssh/id_rsa", ".gnupg/x", "ntds.dit"];

test("whatever the policy holds to be secret by its name is never kept", () => {
  const [files, keys] = [patternOf("secret-files"), patternOf("private-keys")];
  expect(SECRETS.filter((path) => !files.test(path))).toEqual([]);
  expect(KEYS.filter((path) => !keys.test(path))).toEqual([]);
  expect([...SECRETS, ...KEYS].filter((path) => !isNeverKept(path))).toEqual([]);
});

test("every name in the policy is in what is tried here", () => {
  const written = patternOf("secret-files").source + patternOf("private-keys").source;
  const tried = [...SECRETS, ...KEYS].join("\n").toLowerCase();
  const words = [...written.matchAll(/\\\.([a-z_-]{3,})/g)].map(([, word = ""]) => word);
  const known = ["zsh_history", "python_history"];
  expect(words.filter((word) => !tried.includes(word) && !known.includes(word))).toEqual([]);
});

test.each(["prod.env", "app/.ENV.test", ".venv/x", "a/node_modules/b", ".fairlead/x", "id_rsa.pub"])(
  "%s is never kept either",
  (path) => expect(isNeverKept(path)).toBe(true),
);

test.each([
  "environment.ts",
  "src/keys.ts",
  "secrets/README.md",
  "credentials.ts",
  "tfstate.go",
  "env",
  "src/cookies/parse.ts",
  "src/cookies/",
])("%s is kept", (path) => expect(isNeverKept(path)).toBe(false));
