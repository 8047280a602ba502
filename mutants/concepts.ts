/** What is tried when nothing is named, with the test files of others that are asked as well. */
export const concepts: { folder: string; through: readonly string[] }[] = [
	{ folder: "app/orders", through: ["app/payment/settling.test.ts"] },
	{ folder: "app/payment", through: [] },
	{ folder: "app/invoices", through: [] },
	{ folder: "app/documents", through: [] },
	{ folder: "app/desk", through: [] },
	{ folder: "app/registry", through: [] },
	{ folder: "server", through: ["app/routes/sitemaps.test.ts", "app/routes/hostile-requests.test.ts"] },
];
