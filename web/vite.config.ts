import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One HTML file with its script and style inside.
export default defineConfig({
  plugins: [viteSingleFile()],
  build: { target: "es2022", emptyOutDir: true, modulePreload: false },
});
