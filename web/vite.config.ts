import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const CHUNKS = [{ name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }];

export default defineConfig({
  base: "/app/",
  plugins: [react()],
  build: {
    outDir: "../src/tablewright/_web",
    emptyOutDir: true,
    // Newer targets keep `light-dark()`, which the minifier would rewrite into variables that do not follow the theme.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    chunkSizeWarningLimit: 700,
    // Whatever is inlined as data would need a wider content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8787" } },
  test: {
    setupFiles: ["src/test/setup.ts"],
    reporters: [["default", { summary: false }]],
    include: ["src/**/*.test.{ts,tsx}"],
    // Only tells what hangs from what is slow: what is shown first in a process takes seconds on a busy machine.
    testTimeout: 90_000,
  },
});
