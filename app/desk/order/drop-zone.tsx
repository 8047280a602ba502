import { useCallback, useEffect, useRef, useState } from "react";
import { href, Link, useFetcher } from "react-router";
import { button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { isTooLarge, tooLargeSentence, useDropTarget, useFileQueue, useRetry } from "../files/file-queue.tsx";
import { type DropAnswer, offlineAnswer } from "./upload-answer.ts";

interface DropZoneProps {
	number: string;
	/** The operator's file for this order; `requested`: its delivery is asked for. */
	draft: "none" | "dropped" | "requested";
	/** The order has its extract: a new file replaces it. */
	replaces: boolean;
	/** Whether a photo may be dropped: of a letter. */
	photos: boolean;
	/** Offers a specimen to drop. */
	demo: boolean;
}

/** Where an extract is dropped: anywhere on the page, or by the file field. Without JavaScript, the field and its button. */
export function DropZone({ number, draft, replaces, photos, demo }: DropZoneProps) {
	const fetcher = useFetcher<DropAnswer>();
	const file = useRef<File>(undefined);
	const next = useRef<File>(undefined);
	const [problem, setProblem] = useState<string | null>(null);
	const { add, isOver } = useFileQueue();
	const action = href("/bureau/commandes/:number/extrait", { number });
	const isIdle = fetcher.state === "idle";
	const [isOffline, setOffline] = useState(false);
	const send = useCallback(() => {
		if (!file.current) return;
		// the script of the route may not be loaded yet
		setOffline(navigator.onLine === false);
		if (navigator.onLine === false) return;
		const form = new FormData();
		form.append("file", file.current);
		void fetcher.submit(form, { method: "post", action, encType: "multipart/form-data" });
	}, [fetcher, action]);
	const onDrop = (files: readonly File[]) => {
		const [first, ...others] = files;
		if (first === undefined) return;
		// each looks for its order
		if (others.length > 0) return add(files);
		setProblem(isTooLarge(first) ? tooLargeSentence : null);
		if (isTooLarge(first)) return;
		next.current = first;
		sendNext();
	};
	// a file that is dropped while another one is being checked takes its place afterwards
	const sendNext = useCallback(() => {
		if (!isIdle || !next.current) return;
		file.current = next.current;
		next.current = undefined;
		send();
	}, [isIdle, send]);
	useEffect(sendNext, [sendNext]);
	useDropTarget(onDrop);
	useRetry(isIdle && (isOffline || fetcher.data?.state === "offline"), send);
	const busy = !isIdle;
	// « le fichier est déposé » is true until it is delivered or discarded
	const last = isOffline ? offlineAnswer : fetcher.data;
	const answer = busy || (last?.state === "kept" && draft !== "dropped") ? undefined : last;
	return (
		<section
			aria-labelledby="deposer"
			className={`rounded-lg border border-dashed p-4 ${isOver ? "border-accent bg-shade" : "border-edge"}`}
		>
			<h2 id="deposer" className="flex items-center gap-2 text-lg">
				<Icon name="document" className="size-5" />
				{draft !== "none" ? "Déposer un autre fichier" : replaces ? "Remplacer l’extrait" : "Déposer l’extrait"}
			</h2>
			{draft === "requested" ? (
				<p className="mt-1 text-sm text-soft">La livraison est demandée. Pour déposer un autre fichier, annulez d’abord la demande.</p>
			) : (
				<FileField form={fetcher.Form} action={action} replaces={replaces} photos={photos} onDrop={onDrop} />
			)}
			{demo && draft !== "requested" && (
				<p className="mt-2 text-sm">
					<a className="link" href={href("/bureau/specimen/:number", { number })} download>
						Télécharger un spécimen à déposer
					</a>{" "}
					<span className="text-soft">(démonstration)</span>
				</p>
			)}
			<div aria-live="polite" className="mt-2">
				{busy && <p>Le fichier est en cours de contrôle…</p>}
				{problem && (
					<Notice kind="failed">
						<p>{problem}</p>
					</Notice>
				)}
				{!problem && answer && <DropMessage answer={answer} />}
			</div>
		</section>
	);
}

interface FileFieldProps {
	form: ReturnType<typeof useFetcher>["Form"];
	action: string;
	replaces: boolean;
	photos: boolean;
	onDrop(files: readonly File[]): void;
}

/** The file field; without JavaScript it has a button. */
function FileField({ form: FetcherForm, action, replaces, photos, onDrop }: FileFieldProps) {
	const field = useRef<HTMLInputElement>(null);
	const take = (input: HTMLInputElement | null) => {
		const files = [...(input?.files ?? [])];
		// lets the operator choose the same file again
		if (input) input.value = "";
		if (files.length > 0) onDrop(files);
	};
	// chosen before the script had arrived
	// biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page hydrates
	useEffect(() => take(field.current), []);
	return (
		<>
			<p className="mt-1 text-sm text-soft">
				Glissez le PDF n’importe où sur cette page{photos ? ", choisissez-le, ou prenez l’extrait en photo" : " ou choisissez-le"}. Rien
				n’est envoyé au client avant «&nbsp;
				{replaces ? "Remplacer l’extrait" : "Livrer"}&nbsp;».
			</p>
			<FetcherForm method="post" action={action} encType="multipart/form-data" className="mt-3 flex flex-wrap items-center gap-3">
				<label className="min-w-0">
					<span className="sr-only">Extrait au format PDF{photos && ", ou sa photo"}</span>
					<input
						type="file"
						name="file"
						accept=".pdf,application/pdf,image/jpeg,image/png"
						required
						className="block w-full text-sm file:mr-3 file:min-h-11 file:rounded-md file:border file:border-edge file:bg-sheet file:px-4 file:font-semibold"
						ref={field}
						onChange={(event) => take(event.currentTarget)}
					/>
				</label>
				<noscript>
					<button type="submit" className={button("secondary")}>
						Déposer
					</button>
				</noscript>
			</FetcherForm>
		</>
	);
}

function DropMessage({ answer }: { answer: DropAnswer }) {
	const kinds = { kept: "done", refused: "failed", offline: "warning", "shut-out": "failed", failed: "failed" } as const;
	return (
		<Notice kind={kinds[answer.state]}>
			<p>{answer.text}</p>
			{answer.state === "refused" && answer.order && (
				<p>
					<Link className="link figures" to={href("/bureau/commandes/:number", { number: answer.order })}>
						{answer.order}
					</Link>
				</p>
			)}
		</Notice>
	);
}
