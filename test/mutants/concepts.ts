/** What is tried when nothing is named, with the test files of others that are asked as well. */
export const concepts: { folder: string; through: readonly string[] }[] = [
	{
		folder: "app/orders",
		through: ["app/payments/sync.test.ts", "app/tracking/refunds.test.ts", "app/retention/delete-old-extracts.test.ts"],
	},
	{ folder: "app/order-form", through: [] },
	{ folder: "app/refunds", through: ["app/tracking/refunds.test.ts", "app/payments/sync.test.ts"] },
	{ folder: "app/order-emails", through: [] },
	{
		folder: "app/fulfilment",
		through: ["app/tracking/refunds.test.ts", "app/orders/order-changes.test.ts", "app/retention/delete-old-extracts.test.ts"],
	},
	{ folder: "app/extracts", through: [] },
	{ folder: "app/tracking", through: ["app/orders/order-access.test.ts", "app/fulfilment/fulfil-order.test.ts"] },
	{ folder: "app/retention", through: [] },
	{ folder: "app/payments", through: [] },
	{ folder: "app/invoices", through: [] },
	{ folder: "app/documents", through: [] },
	{ folder: "app/desk", through: [] },
	{ folder: "app/registry", through: [] },
	{ folder: "app/web", through: ["app/routes/crawlers/sitemaps.test.ts", "app/web/hostile-requests.test.ts"] },
	{ folder: "app/forms", through: [] },
	{ folder: "server", through: [] },
];
