/** The folders that are tested by default, with test files of other folders that must also run. */
export const concepts: { folder: string; otherTests: readonly string[] }[] = [
	{
		folder: "app/orders",
		otherTests: [
			"app/payments/sync.test.ts",
			"app/tracking/refunds.test.ts",
			"app/retention/delete-old-extracts.test.ts",
			"app/retention/contracts.test.ts",
		],
	},
	{ folder: "app/order-form", otherTests: [] },
	{
		folder: "app/refunds",
		otherTests: ["app/tracking/refunds.test.ts", "app/payments/sync.test.ts", "app/fulfilment/refund-brake.test.ts"],
	},
	{ folder: "app/order-emails", otherTests: [] },
	{
		folder: "app/fulfilment",
		otherTests: [
			"app/tracking/refunds.test.ts",
			"app/orders/order-changes.test.ts",
			"app/retention/delete-old-extracts.test.ts",
			"app/desk/queue/queue.test.ts",
		],
	},
	{ folder: "app/extracts", otherTests: [] },
	{
		folder: "app/tracking",
		otherTests: ["app/orders/order-access.test.ts", "app/fulfilment/fulfil-order.test.ts", "app/sharing/sharing.test.ts"],
	},
	{ folder: "app/retention", otherTests: ["app/customer-space/older-invoices.test.ts", "app/messages/conversations.test.ts"] },
	{
		folder: "app/payments",
		otherTests: [
			"app/order-form/list-form.test.ts",
			"app/order-form/refused-forms.test.ts",
			"app/order-form/order-forms.test.ts",
			"app/order-copies/recreate-purchases.test.ts",
		],
	},
	{ folder: "app/invoices", otherTests: [] },
	{ folder: "app/documents", otherTests: [] },
	{ folder: "app/terminal", otherTests: [] },
	{ folder: "app/registry", otherTests: [] },
	{
		folder: "app/web",
		otherTests: ["app/routes/crawlers/sitemaps.test.ts", "app/desk/desk-host.test.ts", "app/metrics/metrics.test.ts"],
	},
	{ folder: "app/mail", otherTests: [] },
	{ folder: "app/forms", otherTests: [] },
	{ folder: "server", otherTests: ["app/metrics/metrics.test.ts", "app/companies/read-from-replica.test.ts"] },
];
