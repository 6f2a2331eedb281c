import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: "es2023",
    // Nothing is put into the document: the policy of the page allows no inline part.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
    rolldownOptions: {
      output: {
        // Together, because what is imported first runs first only within one file.
        codeSplitting: {
          groups: [{ name: "words", test: /no-eval|[\\/]zod[\\/]|packages[\\/](contract|ahp)[\\/]/ }],
        },
      },
    },
  },
});
