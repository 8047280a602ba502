import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/**
 * Which folder may import which. A folder's own files are always allowed; there is no arrow back up.
 * `app` stands for the files directly in app/: the shop's wiring and its front doors.
 */
const allowed: Record<string, readonly string[]> = {
	server: [],
	"stand-ins": [],
	"app/ui": ["server"],
	"app/catalogue": ["server"],
	"app/companies": ["server", "app/ui"],
	"app/registry": ["server", "app/companies"],
	"app/addresses": ["server"],
	"app/issuing": ["server", "app/companies", "app/catalogue"],
	"app/documents": ["server", "app/ui"],
	"app/invoices": ["server", "app/catalogue", "app/documents"],
	"app/mail": ["server", "app/ui"],
	"app/contact": ["server", "app/mail"],
	"app/order-copies": ["server", "app/documents", "app/invoices"],
	"app/newsletter": ["server", "app/mail", "app/catalogue"],
	"app/status": ["server", "app/catalogue", "app/companies", "app/ui"],
	"app/content": ["server", "app/catalogue", "app/companies", "app/status", "app/ui"],
	"app/orders": [
		"server",
		"app/catalogue",
		"app/companies",
		"app/issuing",
		"app/documents",
		"app/invoices",
		"app/mail",
		"app/newsletter",
		"app/order-copies",
		"app/ui",
	],
	"app/metrics": ["server", "app/catalogue", "app/companies", "app/invoices", "app/mail", "app/order-copies", "app/orders", "app/status"],
	"app/payment": ["server", "app/catalogue", "app/companies", "app/order-copies", "app/orders"],
	"app/desk": [
		"server",
		"app",
		"app/catalogue",
		"app/issuing",
		"app/documents",
		"app/invoices",
		"app/mail",
		"app/contact",
		"app/newsletter",
		"app/order-copies",
		"app/orders",
		"app/payment",
		"app/status",
	],
	"app/doctor": [
		"server",
		"app",
		"app/catalogue",
		"app/documents",
		"app/mail",
		"app/order-copies",
		"app/orders",
		"app/payment",
		"app/desk",
	],
	"app/routes": [
		"server",
		"app",
		"app/ui",
		"app/catalogue",
		"app/companies",
		"app/addresses",
		"app/issuing",
		"app/documents",
		"app/mail",
		"app/contact",
		"app/newsletter",
		"app/content",
		"app/orders",
		"app/payment",
		"app/status",
	],
	app: [
		"server",
		"app/ui",
		"app/catalogue",
		"app/companies",
		"app/addresses",
		"app/issuing",
		"app/documents",
		"app/mail",
		"app/contact",
		"app/newsletter",
		"app/content",
		"app/order-copies",
		"app/orders",
		"app/payment",
		"app/status",
		"app/metrics",
		"app/desk",
		"app/routes",
	],
};

/** These few touch what their folder may not: the bundle and the web server meet the routes, the framework's table names them. */
const meetingPoints = new Set([
	"server/bundle.ts",
	"server/web.ts",
	"server/test-shop.ts",
	"server/test-setup.ts",
	"server/test-orders.ts",
	"server/test-payment.ts",
	"server/test-stripe-shop.ts",
]);

/** Tests fill the company base with what they need, and talk to what stands in for others. */
const testsMayImport = ["app/registry", "stand-ins"];

/** @returns a sentence for each import that goes the wrong way. */
export function checkDirections(): string[] {
	return ["app", "server", "stand-ins"].flatMap((root) =>
		readdirSync(root, { recursive: true, encoding: "utf8" })
			.filter((name) => /\.tsx?$/.test(name))
			.map((name) => join(root, name).split(sep).join("/"))
			.flatMap(wrongImports),
	);
}

function wrongImports(file: string): string[] {
	if (meetingPoints.has(file)) return [];
	const from = folderOf(file);
	const targets = [...readFileSync(file, "utf8").matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g)]
		.map(([, specifier]) =>
			relative(".", join(dirname(file), specifier ?? ""))
				.split(sep)
				.join("/"),
		)
		.filter((target) => /^(app|server|stand-ins)\//.test(target) && !target.includes("/+types/"));
	const may = /\.test\.tsx?$/.test(file) ? [...(allowed[from] ?? []), ...testsMayImport] : allowed[from];
	if (may === undefined) return [`${file} is in ${from}, which has no row in check-directions.ts`];
	return targets
		.filter((target) => folderOf(target) !== from && !may.includes(folderOf(target)))
		.map((target) => `${file} imports ${target}: ${from} may not import ${folderOf(target)}`);
}

function folderOf(file: string): string {
	const [root, folder, ...rest] = file.split("/");
	return root === "app" && rest.length > 0 ? `app/${folder}` : (root ?? "");
}
