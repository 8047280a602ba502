import { type DragEvent, useRef, useState } from "react";
import { button } from "../ui/button.tsx";
import { Notice, type NoticeKind } from "../ui/notice.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";
import { type Comparison, compareFile } from "./compare-file.ts";

const results: Record<Comparison, { kind: NoticeKind; title: string; sentence: string }> = {
	identical: {
		kind: "done",
		title: "Ce fichier est identique au document remis",
		sentence: "Il a les mêmes octets, du premier au dernier.",
	},
	different: {
		kind: "failed",
		title: "Ce fichier est différent",
		sentence:
			"Ce n’est pas le document remis, ou il a été modifié depuis. Un fichier imprimé puis numérisé, signé ou enregistré de nouveau est toujours différent : demandez le fichier d’origine.",
	},
	unreadable: {
		kind: "failed",
		title: "Ce fichier n’a pas pu être lu",
		sentence: "Vérifiez qu’il est toujours à sa place, puis choisissez-le de nouveau.",
	},
	unsupported: {
		kind: "failed",
		title: "Votre navigateur ne peut pas comparer ce fichier ici",
		sentence: "Calculez son empreinte vous-même, comme indiqué plus bas.",
	},
};

/** Compares a chosen or dropped file with a document. The file stays in the browser. */
export function FileCheck({ document }: { document: { bytes: number; sha256: string } }) {
	const hydrated = useHydrated();
	const [dragOver, setDragOver] = useState(false);
	const [checkedFile, setCheckedFile] = useState<{ name: string; comparison: Comparison | null } | null>(null);
	const latest = useRef<File>(null);

	async function check(file: File | undefined) {
		if (file === undefined) return;
		latest.current = file;
		setCheckedFile({ name: file.name, comparison: null });
		const comparison = await compareFile(file, document);
		// ignores the result of a file that another one has replaced
		if (latest.current === file) setCheckedFile({ name: file.name, comparison });
	}

	function drop(event: DragEvent) {
		event.preventDefault();
		setDragOver(false);
		check(event.dataTransfer.files[0]);
	}

	const result = checkedFile?.comparison ? results[checkedFile.comparison] : null;
	return (
		<>
			<label
				htmlFor="file"
				onDragOver={(event) => {
					event.preventDefault();
					setDragOver(true);
				}}
				onDragLeave={() => setDragOver(false)}
				onDrop={drop}
				className={`block cursor-pointer rounded-lg border border-dashed bg-sheet p-5 noscript:hidden has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${dragOver ? "border-accent ring-1 ring-accent" : "border-edge hover:border-ink"}`}
			>
				<span className="block font-semibold">
					Choisissez le fichier reçu, ou <span className="whitespace-nowrap">déposez-le ici</span>
				</span>
				<span className="block text-sm text-soft">Il n’est pas envoyé : la comparaison se fait dans votre navigateur.</span>
				<input
					id="file"
					type="file"
					disabled={!hydrated}
					// lets the user choose the same file again after changing it
					onClick={(event) => {
						event.currentTarget.value = "";
					}}
					onChange={(event) => check(event.currentTarget.files?.[0])}
					className="sr-only"
				/>
				{/* the native button has the language of the browser */}
				<span aria-hidden="true" className={button("primary", "mt-4")}>
					Choisir un fichier
				</span>
			</label>
			<noscript>
				<p>Sans JavaScript, cette page ne compare pas elle-même : calculez l’empreinte de votre fichier comme indiqué plus bas.</p>
			</noscript>
			<div aria-live="polite" className="mt-6 noscript:hidden">
				{checkedFile && !result && <Notice kind="waiting" title="Comparaison en cours…" />}
				{checkedFile && result && (
					<Notice kind={result.kind} title={result.title}>
						<p className="text-sm text-soft">{checkedFile.name}</p>
						<p>{result.sentence}</p>
					</Notice>
				)}
			</div>
		</>
	);
}
