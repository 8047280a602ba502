import { useCallback, useEffect, useRef, useState } from "react";
import { href, Link, useFetcher, useSubmit } from "react-router";
import { maxExtractBytes } from "../../documents/extract-size.ts";
import { button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { DropAnswer } from "./upload-answer.ts";

/** Milliseconds after which a file that had no network is sent again. */
const retryAfter = 4000;

interface DropZoneProps {
	number: string;
	/** The operator's file for this order; `requested`: its delivery is asked for. */
	draft: "none" | "dropped" | "requested";
	/** The order has its extract: a new file replaces it. */
	replaces: boolean;
	/** Offers a specimen to drop. */
	demo: boolean;
}

/** Where an extract is dropped: anywhere on the page, or by the file field. Without JavaScript, the field and its button. */
export function DropZone({ number, draft, replaces, demo }: DropZoneProps) {
	const fetcher = useFetcher<DropAnswer>();
	const submitPage = useSubmit();
	const file = useRef<File>(undefined);
	const [problem, setProblem] = useState<string | null>(null);
	const action = href("/bureau/commandes/:number/extrait", { number });
	const send = useCallback(() => {
		if (file.current) void fetcher.submit(toForm([file.current]), { method: "post", encType: "multipart/form-data" });
	}, [fetcher]);
	const take = (files: readonly File[]) => {
		const [first, ...others] = files;
		if (first === undefined || fetcher.state !== "idle") return;
		const large = files.some(({ size }) => size > maxExtractBytes);
		setProblem(large ? "Ce fichier dépasse 10 Mo\u00a0: un extrait n’est jamais aussi lourd. Il n’est pas envoyé." : null);
		if (large) return;
		if (others.length > 0) {
			void submitPage(toForm(files), { method: "post", action: href("/bureau/fichiers"), encType: "multipart/form-data" });
			return;
		}
		file.current = first;
		send();
	};
	const isOver = usePageDrop(take);
	useRetry(fetcher.state === "idle" && fetcher.data?.state === "offline", send);
	const busy = fetcher.state !== "idle";
	// « le fichier est déposé » is true until it is delivered or discarded
	const answer = busy || (fetcher.data?.state === "kept" && draft !== "dropped") ? undefined : fetcher.data;
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
				<p className="mt-1 text-sm text-soft">La livraison est demandée. Pour déposer un autre fichier, annulez-la d’abord.</p>
			) : (
				<FileField form={fetcher.Form} action={action} replaces={replaces} take={take} />
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
	take(files: readonly File[]): void;
}

/** The file field; without JavaScript it has a button. */
function FileField({ form: FetcherForm, action, replaces, take }: FileFieldProps) {
	return (
		<>
			<p className="mt-1 text-sm text-soft">
				Glissez le PDF n’importe où sur cette page, choisissez-le, ou prenez l’extrait en photo. Rien n’est envoyé au client avant «&nbsp;
				{replaces ? "Remplacer l’extrait" : "Livrer"}&nbsp;».
			</p>
			<FetcherForm method="post" action={action} encType="multipart/form-data" className="mt-3 flex flex-wrap items-center gap-3">
				<label className="min-w-0">
					<span className="sr-only">Extrait au format PDF, ou sa photo</span>
					<input
						type="file"
						name="file"
						accept=".pdf,application/pdf,image/jpeg,image/png"
						required
						className="block w-full text-sm file:mr-3 file:min-h-11 file:rounded-md file:border file:border-edge file:bg-sheet file:px-4 file:font-semibold"
						onChange={(event) => {
							take([...(event.currentTarget.files ?? [])]);
							event.currentTarget.value = "";
						}}
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
	const kinds = { kept: "done", refused: "failed", offline: "warning", "shut-out": "failed" } as const;
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

function toForm(files: readonly File[]): FormData {
	const form = new FormData();
	for (const file of files) form.append("file", file);
	return form;
}

/** Takes files dropped anywhere on the page. @returns whether files are over it now. */
function usePageDrop(take: (files: readonly File[]) => void): boolean {
	const [isOver, setOver] = useState(false);
	const current = useRef(take);
	current.current = take;
	useEffect(() => {
		const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
		const onOver = (event: DragEvent) => {
			if (!hasFiles(event)) return;
			event.preventDefault();
			setOver(true);
		};
		const onLeave = (event: DragEvent) => {
			if (event.relatedTarget === null) setOver(false);
		};
		const onDrop = (event: DragEvent) => {
			if (!hasFiles(event)) return;
			// otherwise the browser opens the file in place of the page
			event.preventDefault();
			setOver(false);
			current.current([...(event.dataTransfer?.files ?? [])]);
		};
		addEventListener("dragover", onOver);
		addEventListener("dragleave", onLeave);
		addEventListener("drop", onDrop);
		return () => {
			removeEventListener("dragover", onOver);
			removeEventListener("dragleave", onLeave);
			removeEventListener("drop", onDrop);
		};
	}, []);
	return isOver;
}

/** Sends a file again that had no network: after some seconds, and when the network is back. */
function useRetry(isOffline: boolean, send: () => void): void {
	const current = useRef(send);
	current.current = send;
	useEffect(() => {
		if (!isOffline) return;
		const again = () => current.current();
		const timer = setTimeout(again, retryAfter);
		addEventListener("online", again);
		return () => {
			clearTimeout(timer);
			removeEventListener("online", again);
		};
	}, [isOffline]);
}
