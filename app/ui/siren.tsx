/** A SIREN or SIRET in groups, by style alone: a copy of it has digits only. It is the same in every language. */
export function Siren({ value }: { value: string }) {
	return (
		<span className="figures whitespace-nowrap" translate="no">
			{[0, 3, 6, 9].map((start) => (
				<span key={start} className="not-first:ml-[0.28em] empty:hidden">
					{value.slice(start, start === 9 ? undefined : start + 3)}
				</span>
			))}
		</span>
	);
}

/** « FR 27 552 032 534 », grouped by style alone. @param value a French VAT number without spaces. */
export function VatNumber({ value }: { value: string }) {
	return (
		<span className="figures whitespace-nowrap" translate="no">
			<span className="mr-[0.28em]">{value.slice(0, 2)}</span>
			<span className="mr-[0.28em]">{value.slice(2, 4)}</span>
			<Siren value={value.slice(4)} />
		</span>
	);
}
