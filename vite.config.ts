import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
	plugins: [tailwindcss(), reactRouter()],
	// server/bundle.ts takes the place of the framework's own entry, so that main.ts finds web and jobs in one file
	environments: { ssr: { build: { rollupOptions: { input: "./server/bundle.ts" } } } },
	build: { assetsInlineLimit: 0 },
	server: { middlewareMode: true },
});
