import { basename, dirname, relative, resolve } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { findBundled } from "./scripts/find-bundled.ts";

const chunks = [
	// packages of the desk alone stay with its pages
	{ name: "framework", test: /node_modules\/(?!uqr|@simplewebauthn|@zxing|ts-custom-error)/ },
	{
		name: "catalogue",
		test: /app\/(catalogue\/(money|services)\.|companies\/addresses\/address-lines|checkout\/form\/draft\.)|server\/(types\/|durations\.)/,
	},
	// the payment formats no instant in the browser
	{ name: "instants", test: /app\/catalogue\/instants\./ },
	// components of one page alone stay with that page
	{
		name: "ui",
		test: /app\/(ui\/(?!forms|markdown|radio-group|skeleton|drawings|honeypot|promise-band|combobox|keep-typed|use-suggestions|card|disclosure|preview|name-with-of))/,
	},
	{
		name: "order-parts",
		test: /app\/(checkout\/form\/(order-summary|fields\/consent-fields)|companies\/company-notice-list\.)/,
		minShareCount: 2,
	},
];

/**
 * `import url from "./x.ts?script-url"` is the URL of a script that is built beside the routes. The browser’s build comes first and
 * names the files; the server’s build reads the names.
 */
function scriptUrls(): Plugin {
	const scripts = ["entry.on-demand.ts"].map((name) => resolve("app", name));
	const urls = new Map<string, string>();
	return {
		name: "script-urls",
		enforce: "pre",
		sharedDuringBuild: true,
		buildStart() {
			if (this.environment.name !== "client" || this.environment.mode !== "build") return;
			for (const id of scripts) this.emitFile({ type: "chunk", id, name: basename(id, ".ts") });
		},
		generateBundle(_options, bundle) {
			for (const file of Object.values(bundle)) {
				if (file.type === "chunk" && scripts.includes(file.facadeModuleId ?? "")) urls.set(file.facadeModuleId ?? "", `/${file.fileName}`);
			}
		},
		load: {
			filter: { id: /\?script-url$/ },
			handler(id) {
				const file = id.slice(0, id.indexOf("?"));
				const source = `/${relative(".", file)}`;
				// no page renders the script in the browser
				return `export default ${JSON.stringify(this.environment.mode === "build" ? urls.get(file) : source)}`;
			},
		},
	};
}

/**
 * The server's build leaves out the modules that Node runs as they are: main.ts, the build and the commands import the same files
 * (docs/decisions/0060-one-copy-of-each-module.md).
 */
function importSources(): Plugin {
	let bundled: ReadonlySet<string>;
	return {
		name: "import-sources",
		enforce: "pre",
		apply: "build",
		applyToEnvironment: ({ name }) => name === "ssr",
		buildStart() {
			bundled = findBundled();
		},
		resolveId: {
			filter: { id: /^[./].*\.ts$|^[A-Z]:.*\.ts$/ },
			handler(id, importer) {
				const path = relative(".", importer ? resolve(dirname(importer), id) : id).replaceAll("\\", "/");
				if (/^(app|server)\//.test(path) && !bundled.has(path)) return { id: `#${path}`, external: true };
			},
		},
	};
}

/** What the browser loads for parts that come late, without what ours do not have: styles, and the tools of React's developers. */
function lightScripts(): Plugin {
	return {
		name: "light-scripts",
		enforce: "pre",
		apply: "build",
		config: () => ({ define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: "undefined" } }),
		load: {
			filter: { id: /^\0vite\/preload-helper\.js$/ },
			handler: () => `export function __vitePreload(load, files = []) {
				for (const file of files) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: "/" + file }));
				return load();
			}`,
		},
	};
}

export default defineConfig({
	plugins: [importSources(), scriptUrls(), lightScripts(), tailwindcss(), reactRouter()],
	// app/bundle.ts takes the place of the framework's own entry, so that the program finds web and jobs in one file
	environments: {
		ssr: { build: { rollupOptions: { input: "./app/bundle.ts" } } },
		// few files compress better than many small ones: 5 kB less on the order form, which must stay under 110
		client: {
			build: {
				rollupOptions: {
					output: { codeSplitting: { groups: chunks } },
					// a module of ours does nothing by being imported: one of which a page uses nothing is left out of it
					treeshake: { moduleSideEffects: (id: string) => !/\/app\/.*\.tsx?$/.test(id) || /\/entry\./.test(id) },
				},
			},
		},
	},
	build: {
		assetsInlineLimit: 0,
		// what the first script of a page loads late stands on files that the page has
		modulePreload: { resolveDependencies: (_file, files, { hostId }) => (hostId.includes("entry.client") ? [] : files) },
	},
	server: { middlewareMode: true },
});
