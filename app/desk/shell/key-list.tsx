import { useEffect, useRef } from "react";
import { button } from "../../ui/button.tsx";
import type { DeskPage } from "./desk-pages.ts";

/** The keys of the queue and of an order; those of the menu follow from its pages. */
const keys = [
	["n", "Prendre la commande suivante"],
	["p", "Prendre la commande ouverte"],
	["t", "Noter l’extrait demandé au greffe"],
	["d", "Livrer l’extrait déposé"],
	["c, Maj c", "Copier le SIREN, sans ou avec espaces"],
	["/", "Rechercher"],
	["j, k", "Ligne suivante, ligne précédente"],
	["Entrée", "Ouvrir la ligne"],
	["?", "Cette liste"],
] as const;

interface KeyListProps {
	open: boolean;
	onClose: () => void;
	pages: readonly DeskPage[];
	areLettersOn: boolean;
	onSwitch: (on: boolean) => void;
}

/** The list of keys, as a dialog, and the switch that turns them off. */
export function KeyList({ open, onClose, pages, areLettersOn, onSwitch }: KeyListProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		if (open && !dialog.current?.open) dialog.current?.showModal();
	}, [open]);
	const rows = [...keys, ...pages.flatMap(({ key, label }) => (key ? [[`g puis ${key}`, label] as const] : []))];
	return (
		<dialog
			ref={dialog}
			onClose={onClose}
			aria-labelledby="touches"
			className="m-auto max-w-form rounded-lg border border-line bg-sheet p-6 text-ink backdrop:bg-ink/40"
		>
			<h2 id="touches" className="text-xl">
				Raccourcis clavier
			</h2>
			<dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm">
				{rows.map(([key, label]) => (
					<div key={key} className="contents">
						<dt>
							<kbd>{key}</kbd>
						</dt>
						<dd>{label}</dd>
					</div>
				))}
			</dl>
			<label className="mt-5 flex min-h-11 items-center gap-3 text-sm">
				<input
					type="checkbox"
					className="check"
					checked={areLettersOn}
					onChange={(event) => onSwitch(event.target.checked)}
					aria-describedby="touches-note"
				/>
				Les touches agissent
			</label>
			<p id="touches-note" className="text-sm text-soft">
				Décochez pour dicter ou pour éviter une touche pressée par erreur. Ce choix reste dans ce navigateur.
			</p>
			<form method="dialog" className="mt-5">
				<button type="submit" className={button("secondary")}>
					Fermer
				</button>
			</form>
		</dialog>
	);
}
