import { href, Link } from "react-router";
import { Notice } from "../../ui/notice.tsx";

/** Below the head of every page, for those who refund: the refunds that the brake holds. Empty when there are none. */
export function HeldBanner({ held }: { held: string | null }) {
	return (
		<div role="status" aria-label="Remboursements retenus" className="print:hidden">
			{held !== null && (
				<div className="border-b border-line bg-sheet px-4 py-1 text-sm sm:px-6">
					<div className="mx-auto max-w-page">
						<Notice kind="waiting">
							{held}{" "}
							<Link to={`${href("/bureau/argent")}#retenus`} className="link inline-flex min-h-11 items-center">
								Décider
							</Link>
						</Notice>
					</div>
				</div>
			)}
		</div>
	);
}
