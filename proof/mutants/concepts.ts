import { globSync } from "node:fs";

/** The folders that are tested by default, with test files of other folders that must also run. */
export const concepts: { folder: string; otherTests: readonly string[] }[] = [
	{
		folder: "app/orders",
		otherTests: [
			"app/payments/sync.test.ts",
			"app/customer/tracking/refunds.test.ts",
			"app/desk/retention/delete-old-extracts.test.ts",
			"app/desk/retention/contracts.test.ts",
		],
	},
	{ folder: "app/checkout/form", otherTests: [] },
	{
		folder: "app/orders/refunds",
		otherTests: ["app/customer/tracking/refunds.test.ts", "app/payments/sync.test.ts", "app/fulfilment/refund-brake.test.ts"],
	},
	{ folder: "app/emails", otherTests: [] },
	{
		folder: "app/fulfilment",
		otherTests: [
			"app/customer/tracking/refunds.test.ts",
			"app/orders/order-changes.test.ts",
			"app/desk/retention/delete-old-extracts.test.ts",
			"app/desk/queue/queue.test.ts",
		],
	},
	{ folder: "app/fulfilment/extracts", otherTests: ["app/fulfilment/drafts/draw-draft.test.ts"] },
	{
		folder: "app/customer/tracking",
		otherTests: ["app/orders/order-access.test.ts", "app/fulfilment/fulfil-order.test.ts", "app/customer/sharing/sharing.test.ts"],
	},
	{ folder: "app/desk/retention", otherTests: ["app/customer/space/older-invoices.test.ts", "app/emails/messages/conversations.test.ts"] },
	{
		folder: "app/payments",
		otherTests: [
			"app/checkout/form/list-form.test.ts",
			"app/checkout/form/refused-forms.test.ts",
			"app/checkout/form/order-forms.test.ts",
			"app/orders/copies/recreate-purchases.test.ts",
		],
	},
	{ folder: "app/orders/invoices", otherTests: [] },
	{ folder: "app/orders/documents", otherTests: [] },
	{ folder: "app/commands", otherTests: [] },
	{ folder: "app/companies/registry", otherTests: [] },
	{
		folder: "app/web",
		otherTests: ["app/routes/crawlers/sitemaps.test.ts", "app/desk/desk-host.test.ts", "app/web/metrics/metrics.test.ts"],
	},
	{ folder: "app/mail", otherTests: [] },
	{ folder: "app/ui/forms", otherTests: [] },
	{ folder: "server", otherTests: ["app/web/metrics/metrics.test.ts", "app/companies/read-from-replica.test.ts"] },
];

/** Lists the files of a folder, without those of concepts inside it. @param pattern of their names. */
export function listOwnFiles(folder: string, pattern: string): string[] {
	const inside = concepts
		.map((concept) => `${concept.folder}/`)
		.filter((other) => other.startsWith(`${folder}/`) && other !== `${folder}/`);
	return globSync(`${folder}/**/${pattern}`).filter((file) => !inside.some((other) => file.startsWith(other)));
}
