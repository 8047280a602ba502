/** What is tried when nothing is named, with the tests of others that go through it: asked when its own notice nothing. */
export const concepts: { folder: string; through: readonly string[] }[] = [
	{ folder: "app/orders", through: ["app/payment", "app/desk", "app/routes"] },
	{ folder: "app/payment", through: ["app/orders", "app/desk"] },
	{ folder: "app/invoices", through: ["app/orders", "app/payment", "app/desk"] },
	{ folder: "app/documents", through: ["app/orders", "app/desk", "app/routes"] },
	{ folder: "app/desk", through: ["app/orders", "app/payment"] },
	{ folder: "app/registry", through: ["app/companies", "app/routes"] },
	{ folder: "server", through: ["app/routes", "app/payment", "app/status"] },
];
