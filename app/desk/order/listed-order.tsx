import type { ReactNode } from "react";
import { Link } from "react-router";
import { Siren } from "../../ui/siren.tsx";

interface ListedOrderProps {
	row: { company: string; siren: string; number: string; reference: string | null; purchase: string | null };
	/** Of its page; null: it has none. */
	path: string | null;
	/** Further facts. */
	children?: ReactNode;
}

/** What names an order in a list of the desk: its company, which leads to its page, its numbers and the customer's reference. */
export function ListedOrder({ row, path, children }: ListedOrderProps) {
	return (
		<>
			{path === null ? (
				<span className="font-semibold">{row.company}</span>
			) : (
				<Link data-row to={path} className="font-semibold hover:underline">
					{row.company}
				</Link>
			)}
			<p className="flex flex-wrap gap-x-4 text-sm text-soft">
				<Siren value={row.siren} />
				<span className="figures">{row.number}</span>
				{row.reference && <span className="min-w-0 break-words">{row.reference}</span>}
				{row.purchase && <span>{row.purchase}</span>}
				{children}
			</p>
		</>
	);
}
