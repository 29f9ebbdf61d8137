import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// Each page is one HTML file with its script and style inside: the report, or with `--mode live` the live view.
export default defineConfig(({ mode }) => ({
  plugins: [viteSingleFile()],
  build: {
    target: "es2022",
    emptyOutDir: true,
    modulePreload: false,
    rollupOptions: { input: mode === "live" ? "live.html" : "index.html" },
  },
}));
