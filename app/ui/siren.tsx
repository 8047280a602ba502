/** A SIREN or SIRET in groups, by style alone: a copy of it has digits only. */
export function Siren({ value }: { value: string }) {
	const groups = [value.slice(0, 3), value.slice(3, 6), value.slice(6, 9), value.slice(9)].filter(Boolean);
	return (
		<span className="figures whitespace-nowrap">
			{groups.map((group, index) => (
				<span key={index} className={index > 0 ? "ml-[0.28em]" : undefined}>
					{group}
				</span>
			))}
		</span>
	);
}
