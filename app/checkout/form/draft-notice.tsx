import { button } from "../../ui/button.tsx";

/** Offers the draft of an earlier visit at the foot of the window: visible wherever the browser has scrolled to. */
export function DraftNotice({ onRestore, onDelete }: { onRestore: () => void; onDelete: () => void }) {
	return (
		<div role="status" className="fixed inset-x-0 bottom-0 z-10 border-t border-edge bg-sheet">
			<div className="mx-auto flex max-w-page items-center gap-x-4 px-5 py-2 sm:gap-x-6 sm:px-8">
				<p className="min-w-0 font-semibold max-sm:flex-1 max-sm:text-sm max-sm:leading-tight">Reprendre votre brouillon&nbsp;?</p>
				<button type="button" className={button("primary")} onClick={onRestore}>
					Reprendre
				</button>
				<button type="button" className={button("quiet", "max-sm:text-sm")} onClick={onDelete}>
					<span>
						Supprimer<span className="max-sm:sr-only"> le brouillon</span>
					</span>
				</button>
			</div>
		</div>
	);
}
