import { button } from "../ui/button.tsx";

/** Offers the draft of an earlier visit at the foot of the window: visible wherever the browser has scrolled to. */
export function DraftNotice({ onRestore, onDelete }: { onRestore: () => void; onDelete: () => void }) {
	return (
		<div role="status" className="fixed inset-x-0 bottom-0 z-10 border-t border-edge bg-sheet">
			<div className="mx-auto flex max-w-page flex-wrap items-center gap-x-6 px-5 py-2 sm:px-8">
				<p className="font-semibold">Reprendre votre brouillon&nbsp;?</p>
				<button type="button" className={button("secondary")} onClick={onRestore}>
					Reprendre
				</button>
				<button type="button" className={button("quiet")} onClick={onDelete}>
					Supprimer le brouillon
				</button>
			</div>
		</div>
	);
}
