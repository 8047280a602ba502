/** The number of pages linked on each side of the current one. */
const neighbours = 2;

/** Links to numbered pages, with previous and next; nothing for a single page. */
export function Pagination({ page, pages, url }: { page: number; pages: number; url: (page: number) => string }) {
	if (pages <= 1) return null;
	const shape = "inline-flex min-h-11 min-w-11 items-center justify-center rounded-md px-3";
	const link = `${shape} border border-line bg-sheet hover:border-ink`;
	return (
		<nav aria-label="Pages de résultats" className="mt-10">
			<ul className="flex flex-wrap items-center justify-center gap-2">
				{page > 1 && (
					<li>
						<a href={url(page - 1)} rel="prev" className={link}>
							Précédent
						</a>
					</li>
				)}
				{listPageNumbers(page, pages).map((number, index) => (
					<li key={number ?? `gap-${index}`} className="figures">
						{number === null ? (
							<span aria-hidden="true">…</span>
						) : number === page ? (
							<span aria-current="page" className={`${shape} border border-accent font-semibold text-accent`}>
								<span className="sr-only">Page </span>
								{number}
							</span>
						) : (
							<a href={url(number)} className={link}>
								<span className="sr-only">Page </span>
								{number}
							</a>
						)}
					</li>
				))}
				{page < pages && (
					<li>
						<a href={url(page + 1)} rel="next" className={link}>
							Suivant
						</a>
					</li>
				)}
			</ul>
		</nav>
	);
}

/** Lists the first, the last, the current page and its neighbours; null for a gap. */
function listPageNumbers(page: number, pages: number): (number | null)[] {
	const pageNumbers = new Set([1, pages]);
	for (let number = page - neighbours; number <= page + neighbours; number++) if (number > 1 && number < pages) pageNumbers.add(number);
	const sorted = [...pageNumbers].sort((a, b) => a - b);
	return sorted.flatMap((number, index) => (index > 0 && number - (sorted[index - 1] ?? 0) > 1 ? [null, number] : [number]));
}
