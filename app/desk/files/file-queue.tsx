import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { href, useFetcher, useLocation, useNavigate } from "react-router";
import { maxExtractBytes } from "../../orders/documents/extract-size.ts";
import type { FileLine, FilesAnswer } from "../order/upload-answer.ts";
import type { Unsent } from "../shell/keep-page.ts";

export const tooLargeSentence = "Ce fichier dépasse 10\u00a0Mo\u00a0: un extrait n’est jamais aussi lourd. Il n’est pas envoyé.";

export const isTooLarge = ({ size }: Pick<File, "size">): boolean => size > maxExtractBytes;

type DropHandler = (files: readonly File[]) => void;

/** Files that look for their orders: sent one by one, whatever page of the desk is open. */
interface FileQueue {
	/** How many are not sent yet. */
	waiting: number;
	/** Why they wait. */
	blocked: Exclude<Unsent, "failed"> | null;
	/** What became of the others since the last drop. */
	lines: readonly FileLine[];
	/** Results that « Fichiers » has not shown yet. */
	unseen: { kept: number; refused: number };
	add: DropHandler;
	/** Sends again what waits. */
	resume(): void;
	/** Whether files are over the page now. */
	isOver: boolean;
	/** Gives what is dropped to the open page, in place of the queue. @returns a function that ends this. */
	registerDropTarget(onDrop: DropHandler): () => void;
}

const emptyQueue: FileQueue = {
	waiting: 0,
	blocked: null,
	lines: [],
	unseen: { kept: 0, refused: 0 },
	isOver: false,
	add() {},
	resume() {},
	registerDropTarget: () => () => {},
};
const FileQueueContext = createContext(emptyQueue);

export const useFileQueue = (): FileQueue => useContext(FileQueueContext);

/** Gives what is dropped to the page while it is open. */
export function useDropTarget(onDrop: DropHandler): void {
	const { registerDropTarget } = useFileQueue();
	const current = useRef(onDrop);
	current.current = onDrop;
	useEffect(() => registerDropTarget((files) => current.current(files)), [registerDropTarget]);
}

/** Takes the files that are dropped on pages of the desk, and sends those that look for their orders. */
export function FileQueueProvider({ enabled, children }: { enabled: boolean; children: ReactNode }) {
	const { pathname } = useLocation();
	const { lines, unseen, waiting, blocked, add, resume } = useSending(pathname === href("/bureau/fichiers"));
	const [targets, setTargets] = useState<readonly DropHandler[]>([]);
	const navigate = useNavigate();
	const registerDropTarget = useCallback((onDrop: DropHandler) => {
		setTargets((before) => [...before, onDrop]);
		return () => setTargets((before) => before.filter((each) => each !== onDrop));
	}, []);
	const addAndShow = (files: readonly File[]) => {
		add(files);
		// other pages may hold typed text: their notice links to the files
		if (pathname === href("/bureau/commandes") && navigator.onLine !== false) void navigate(href("/bureau/fichiers"));
	};
	const isOver = usePageDrop(enabled ? (targets.at(-1) ?? addAndShow) : null);
	const queue = { waiting, blocked, lines, unseen, add: addAndShow, resume, isOver, registerDropTarget };
	return <FileQueueContext value={queue}>{children}</FileQueueContext>;
}

/**
 * Sends files one by one: the next one leaves when the one before has its answer.
 * @param isShown whether the page is open that shows what became of them.
 */
function useSending(isShown: boolean) {
	const fetcher = useFetcher<FilesAnswer>();
	const [files, setFiles] = useState<readonly File[]>([]);
	const [lines, setLines] = useState<readonly FileLine[]>([]);
	const [seen, setSeen] = useState(0);
	const [blocked, setBlocked] = useState<FileQueue["blocked"]>(null);
	const sent = useRef<File>(undefined);
	const answered = useRef<FilesAnswer>(undefined);
	const { state, data, submit } = fetcher;
	const [first] = files;
	useEffect(() => {
		if (state !== "idle" || data === undefined || data === answered.current) return;
		answered.current = data;
		const file = sent.current;
		const why = data.unsent === undefined || data.unsent === "failed" ? null : data.unsent;
		setBlocked(why);
		if (why !== null || file === undefined) return;
		setFiles((before) => before.filter((each) => each !== file));
		const about = data.text === null ? [] : [{ fileName: file.name, ok: false, text: data.text, orders: [] }];
		setLines((before) => [...before, ...about, ...data.lines]);
	}, [state, data]);
	useEffect(() => {
		if (state !== "idle" || blocked !== null || first === undefined || sent.current === first) return;
		if (navigator.onLine === false) return setBlocked("offline");
		sent.current = first;
		const form = new FormData();
		form.append("file", first);
		void submit(form, { method: "post", action: href("/bureau/fichiers"), encType: "multipart/form-data" });
	}, [state, blocked, first, submit]);
	useEffect(() => {
		if (isShown) setSeen(lines.length);
	}, [isShown, lines]);
	const resume = () => {
		sent.current = undefined;
		setBlocked(null);
	};
	useRetry(blocked === "offline", resume);
	const add: DropHandler = (added) => {
		const refused = added.filter(isTooLarge).map(({ name }) => ({ fileName: name, ok: false, text: tooLargeSentence, orders: [] }));
		if (files.length === 0) setSeen(0);
		setLines((before) => [...(files.length > 0 ? before : []), ...refused]);
		setFiles((before) => [...before, ...added.filter((file) => !isTooLarge(file))]);
	};
	const unseen = lines.slice(seen);
	const kept = unseen.filter(({ ok }) => ok).length;
	return { waiting: files.length, blocked, lines, unseen: { kept, refused: unseen.length - kept }, add, resume };
}

/** Takes files dropped anywhere on the page. @returns whether files are over it now. */
function usePageDrop(take: ((files: readonly File[]) => void) | null): boolean {
	const [isOver, setOver] = useState(false);
	const current = useRef(take);
	current.current = take;
	useEffect(() => {
		const takesFiles = (event: DragEvent) => current.current !== null && event.dataTransfer?.types.includes("Files") === true;
		const onOver = (event: DragEvent) => {
			if (!takesFiles(event)) return;
			event.preventDefault();
			setOver(true);
		};
		const onLeave = (event: DragEvent) => {
			if (event.relatedTarget === null) setOver(false);
		};
		const onDrop = (event: DragEvent) => {
			if (!takesFiles(event)) return;
			// otherwise the browser opens the file in place of the page
			event.preventDefault();
			setOver(false);
			current.current?.([...(event.dataTransfer?.files ?? [])]);
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

/** Milliseconds after which a file that had no network is sent again. */
const retryAfter = 4000;

/** Sends a file again that had no network: after some seconds, and when the network is back. */
export function useRetry(isOffline: boolean, send: () => void): void {
	const current = useRef(send);
	current.current = send;
	useEffect(() => {
		if (!isOffline) return;
		const again = () => current.current();
		const timer = setInterval(again, retryAfter);
		addEventListener("online", again);
		return () => {
			clearInterval(timer);
			removeEventListener("online", again);
		};
	}, [isOffline]);
}
