/** A SIREN or SIRET in groups, by style alone: a copy of it has digits only. */
export function Siren({ value }: { value: string }) {
	return (
		<span className="figures whitespace-nowrap">
			{[0, 3, 6, 9].map((start) => (
				<span key={start} className="not-first:ml-[0.28em] empty:hidden">
					{value.slice(start, start === 9 ? undefined : start + 3)}
				</span>
			))}
		</span>
	);
}
