import { type DragEvent, useRef, useState } from "react";
import { button } from "../../ui/button.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";

interface FileZoneProps {
	/** A sentence below the label. */
	hint: string;
	/** Called with each chosen or dropped file. */
	onFile: (file: File) => void;
}

/** A field for one file, to choose or to drop. Hidden without JavaScript, because the file is read in the browser only. */
export function FileZone({ hint, onFile }: FileZoneProps) {
	const hydrated = useHydrated();
	const [dragOver, setDragOver] = useState(false);

	function drop(event: DragEvent) {
		event.preventDefault();
		setDragOver(false);
		const [file] = event.dataTransfer.files;
		if (file) onFile(file);
	}

	return (
		<label
			htmlFor="file"
			onDragOver={(event) => {
				event.preventDefault();
				setDragOver(true);
			}}
			onDragLeave={() => setDragOver(false)}
			onDrop={drop}
			className={`block cursor-pointer rounded-lg border border-dashed bg-sheet p-5 noscript:hidden has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${dragOver ? "chosen" : "border-edge hover:border-ink"}`}
		>
			<span className="block font-semibold">
				Choisissez le fichier reçu, ou <span className="whitespace-nowrap">déposez-le ici</span>
			</span>
			<span className="block text-sm text-soft">{hint}</span>
			<input
				id="file"
				type="file"
				disabled={!hydrated}
				// lets the user choose the same file again after changing it
				onClick={(event) => {
					event.currentTarget.value = "";
				}}
				onChange={(event) => {
					const [file] = event.currentTarget.files ?? [];
					if (file) onFile(file);
				}}
				className="sr-only"
			/>
			{/* the native button has the language of the browser */}
			<span aria-hidden="true" className={button("primary", "mt-4")}>
				Choisir un fichier
			</span>
		</label>
	);
}

/** `unreadable`: the file cannot be read. `unsupported`: the browser cannot compute a SHA-256 here. */
export type HashedFile = { ok: true; sha256: string } | { ok: false; code: "unreadable" | "unsupported" };

/** Computes the SHA-256 of a file in hexadecimal, in the browser. The file is not sent. */
export async function hashFile(file: Blob): Promise<HashedFile> {
	// browsers offer crypto.subtle on secure origins only
	if (!globalThis.crypto?.subtle) return { ok: false, code: "unsupported" };
	try {
		const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
		return { ok: true, sha256: Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") };
	} catch {
		return { ok: false, code: "unreadable" };
	}
}

/** The last chosen file with its result; null while it is computed. */
interface CheckedFile<Result> {
	name: string;
	result: Result | null;
}

/** Checks files one after the other. A result that arrives after another file was chosen is ignored. */
export function useFileResult<Result>(check: (file: File) => Promise<Result>) {
	const [checkedFile, setCheckedFile] = useState<CheckedFile<Result> | null>(null);
	const latest = useRef<File>(null);
	async function checkFile(file: File) {
		latest.current = file;
		setCheckedFile({ name: file.name, result: null });
		const result = await check(file);
		if (latest.current === file) setCheckedFile({ name: file.name, result });
	}
	return [checkedFile, checkFile] as const;
}
