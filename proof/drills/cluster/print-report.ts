import type { ShopBooks } from "../../faults/books.ts";
import type { CustomerOrder } from "../../faults/customers.ts";

interface ClusterReport {
	customers: readonly CustomerOrder[];
	orders: ShopBooks["orders"];
	/** How many searches were sent. */
	searches: number;
	/** One row for each injected fault. */
	rows: readonly string[][];
	/** Failures that must not happen, by kind. */
	faults: Readonly<Record<string, string[]>>;
}

/** Prints the drill's tables as Markdown, with up to 20 cases of each failure. */
export function printReport({ customers, orders, searches, rows, faults }: ClusterReport): void {
	const paid = orders.filter(({ paid_at }) => paid_at !== null).length;
	const repeated = customers.reduce((sum, { failures }) => sum + failures, 0);
	console.log(`\n${customers.length} orders, of which ${paid} paid; ${repeated} requests that customers repeated; ${searches} searches\n`);
	printTable(
		["fault", "shop works again after", "all hosts work again after", "failed searches", "searches, p95", "ended processes"],
		rows,
	);
	console.log();
	printTable(
		["failure", "count"],
		Object.entries(faults).map(([kind, cases]) => [kind, `${cases.length}`]),
	);
	for (const [kind, cases] of Object.entries(faults)) for (const text of cases.slice(0, 20)) console.log(`  ${kind}: ${text}`);
}

function printTable(columns: readonly string[], lines: readonly string[][]): void {
	console.log(`| ${columns.join(" | ")} |\n|${columns.map(() => "---").join("|")}|`);
	for (const line of lines) console.log(`| ${line.join(" | ")} |`);
}
