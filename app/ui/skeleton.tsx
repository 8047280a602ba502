/** A placeholder for a line of text that is loading. */
export function Skeleton({ className = "h-4 w-full" }: { className?: string }) {
	return <span className={`block animate-pulse rounded-md bg-line ${className}`} />;
}

/** A placeholder for a card that is loading; hidden from screen readers, which get « Recherche en cours... ». */
export function SkeletonCard() {
	return (
		<div aria-hidden="true" className="grid gap-3 rounded-lg border border-line bg-sheet p-6">
			<Skeleton className="h-6 w-3/4" />
			<Skeleton className="h-4 w-2/5" />
			<Skeleton />
			<Skeleton className="mt-3 h-11 w-2/5" />
		</div>
	);
}
