import type { ReactNode } from "react";

/** Labels and values in two columns, separated by hairlines. Rows without a value are left out. */
export function DescriptionList({
	rows,
	className = "",
}: {
	rows: readonly (readonly [name: string, value: ReactNode])[];
	className?: string;
}) {
	return (
		<dl className={`divide-y divide-line border-y border-line ${className}`}>
			{rows
				.filter(([, value]) => value !== null && value !== undefined && value !== "")
				.map(([name, value]) => (
					<div key={name} className="grid gap-x-6 py-2.5 sm:grid-cols-[minmax(9rem,2fr)_3fr]">
						<dt className="text-soft">{name}</dt>
						<dd className="figures min-w-0">{value}</dd>
					</div>
				))}
		</dl>
	);
}
