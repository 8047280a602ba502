import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

const chunks = [
	{ name: "framework", test: /node_modules/ },
	// components of one page alone stay with that page
	{
		name: "ui",
		test: /app\/(ui\/(?!radio-group|skeleton|sheet-drawing|honeypot)|catalogue\/(money|services)|companies\/(company(-notice-list)?|search\/suggest-in-browser)\.|forms\/text\.)|server\/types\//,
	},
	{
		name: "order-parts",
		test: /app\/order-form\/(draft|order-summary|order-form|service-choice)/,
		minShareCount: 2,
	},
];

export default defineConfig({
	plugins: [tailwindcss(), reactRouter()],
	// app/bundle.ts takes the place of the framework's own entry, so that main.ts finds web and jobs in one file
	environments: {
		ssr: { build: { rollupOptions: { input: "./app/bundle.ts" } } },
		// few files compress better than many small ones: 5 kB less on the order form, which must stay under 110
		client: { build: { rollupOptions: { output: { codeSplitting: { groups: chunks } } } } },
	},
	build: { assetsInlineLimit: 0 },
	server: { middlewareMode: true },
});
