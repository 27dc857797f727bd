import { defineConfig } from "vite";

// Module scripts do not load in an opaque origin: what runs in a frame is one plain script.
export default defineConfig({
  base: "/frames/",
  define: { "process.env.NODE_ENV": '"production"' },
  publicDir: false,
  build: {
    outDir: "../src/tablewright/_web/frames",
    emptyOutDir: false,
    lib: { entry: "src/frames/chart-frame.ts", name: "ChartFrame", formats: ["iife"], fileName: () => "chart.js" },
    chunkSizeWarningLimit: 900,
  },
});
