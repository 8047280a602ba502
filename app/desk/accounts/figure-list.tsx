import type { Figure } from "./accounts-views.ts";

/** Figures side by side, each below its label. */
export function FigureList({ figures }: { figures: readonly Figure[] }) {
	return (
		<dl className="mt-1 grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-3 lg:grid-cols-6">
			{figures.map(({ label, value }) => (
				<div key={label}>
					<dt className="text-sm text-soft">{label}</dt>
					<dd className="figures">{value}</dd>
				</div>
			))}
		</dl>
	);
}
