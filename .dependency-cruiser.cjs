// Which folder may import which. Imports point one way; see ARCHITECTURE.md.
const src = (pkg) => `^packages/${pkg}/src/`;
const runtime = (folders) => `^packages/runtime/src/(${folders})/`;

/** A folder of the runtime and the folders beside it that it may use. */
const RUNTIME = {
  domain: "domain|ports",
  ports: "ports",
  faces: "faces",
  log: "log|ports",
  services: "services|domain|ports",
  models: "models|ports",
  tools: "tools|ports",
  retrieval: "retrieval|ports",
  workspaces: "workspaces|ports",
  supervisors: "supervisors|ports",
  engines: "engines|services|domain|ports",
  harness: "harness|services|domain|ports",
  workers: "workers|services|domain|ports",
  stores: "stores|ports",
  host: "host|ports",
  server: "server|services|domain|ports|faces",
};

const TEST = "\\.test\\.ts$|\\.contract/|/test/";

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    ...Object.entries({
      ahp: "ahp",
      contract: "contract|ahp",
      client: "client|contract",
      runtime: "runtime|contract|ahp",
      cli: "cli|client|runtime|contract|cockpit",
      cockpit: "cockpit|client|contract",
    }).map(([pkg, allowed]) => ({
      name: `${pkg}-imports`,
      severity: "error",
      from: { path: src(pkg) },
      to: { path: "^packages/", pathNot: `^packages/(${allowed})/` },
    })),
    ...Object.entries(RUNTIME).map(([folder, allowed]) => ({
      name: `runtime-${folder}-imports`,
      severity: "error",
      from: { path: runtime(folder), pathNot: TEST },
      to: { path: "^packages/runtime/src/", pathNot: runtime(allowed) },
    })),
    {
      name: "faces-import-only-contract",
      severity: "error",
      from: { path: runtime("faces"), pathNot: TEST },
      to: { pathNot: [runtime("faces"), src("contract"), "^packages/ahp/src/"] },
    },
    {
      name: "contract-runs-in-a-browser",
      severity: "error",
      from: { path: "^packages/(contract|client|cockpit)/src/", pathNot: TEST },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "every-runtime-folder-has-a-rule",
      severity: "error",
      from: { path: "^packages/runtime/src/[^/]+/", pathNot: runtime(Object.keys(RUNTIME).join("|")) },
      to: {},
    },
    {
      name: "only-the-build-of-the-cockpit",
      severity: "error",
      from: { path: "^packages/(?!cockpit/)" },
      to: { path: "^packages/cockpit/src/" },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-tests-in-product",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: TEST },
      to: { path: TEST },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^packages/cockpit/dist/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".tsx", ".js"],
    },
  },
};
