/** Zod tries whether it may compile code; the policy of this page says no, and reports each try. Imported first. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
