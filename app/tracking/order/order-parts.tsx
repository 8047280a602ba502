/** « Commande KB-7F3K-92QD », above a title. The number stays on one line: it is copied and read out. */
export function OrderNumber({ number }: { number: string }) {
	return (
		<>
			Commande <span className="figures whitespace-nowrap">{number}</span>
		</>
	);
}

/** How a letter is delivered, and where to. @param lines the recipient and the address; null where the reader may not see them. */
export function LetterDelivery({ lines }: { lines: readonly string[] | null }) {
	return (
		<>
			Par courrier suivi
			{lines?.map((line) => (
				<span key={line} className="block break-words">
					{line}
				</span>
			))}
		</>
	);
}
