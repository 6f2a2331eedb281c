/** Zod tries whether it may compile code; the policy of this page says no, and reports each try. Imported first. */
(globalThis as { __zod_globalConfig?: { jitless: boolean } }).__zod_globalConfig = { jitless: true };

export {};
