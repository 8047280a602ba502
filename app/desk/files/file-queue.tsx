import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { href, useFetcher, useLocation, useNavigate } from "react-router";
import type { FileLine, FilesAnswer } from "../order/upload-answer.ts";
import type { Unsent } from "../shell/keep-page.ts";
import { isTooLarge, tooLargeSentence } from "./file-size.ts";
import { usePageDrop } from "./use-page-drop.ts";
import { useRetry } from "./use-retry.ts";

type Take = (files: readonly File[]) => void;

/** Files that look for their orders: sent one by one, whatever page of the desk is open. */
interface FileQueue {
	/** How many are not sent yet. */
	waiting: number;
	/** Why they wait. */
	blocked: Unsent | null;
	/** What became of the others since the last drop. */
	lines: readonly FileLine[];
	add: Take;
	/** Sends again what waits. */
	resume(): void;
	/** Whether files are over the page now. */
	isOver: boolean;
	/** The page of an order takes what is dropped on it itself. @returns a function that gives it up. */
	takeDrops(take: Take): () => void;
}

const nothing: FileQueue = {
	...{ waiting: 0, blocked: null, lines: [], isOver: false },
	add() {},
	resume() {},
	takeDrops: () => () => {},
};
const FileQueueContext = createContext(nothing);

export const useFileQueue = (): FileQueue => useContext(FileQueueContext);

/** Lets a page take what is dropped on it. */
export function useTakeDrops(take: Take): void {
	const { takeDrops } = useFileQueue();
	const current = useRef(take);
	current.current = take;
	useEffect(() => takeDrops((files) => current.current(files)), [takeDrops]);
}

/** Takes the files that are dropped on pages of the desk, and sends those that look for their orders. */
export function FileQueueProvider({ enabled, children }: { enabled: boolean; children: ReactNode }) {
	const { lines, waiting, blocked, add, resume } = useSending();
	const [takers, setTakers] = useState<readonly Take[]>([]);
	const navigate = useNavigate();
	const { pathname } = useLocation();
	const takeDrops = useCallback((take: Take) => {
		setTakers((before) => [...before, take]);
		return () => setTakers((before) => before.filter((each) => each !== take));
	}, []);
	const addAndShow = (files: readonly File[]) => {
		add(files);
		// other pages may hold typed text
		const isLeft = pathname === href("/bureau/commandes") || pathname.startsWith(`${href("/bureau/commandes")}/`);
		if (isLeft && navigator.onLine !== false) void navigate(href("/bureau/fichiers"));
	};
	const isOver = usePageDrop(enabled ? (takers.at(-1) ?? addAndShow) : null);
	const queue = { waiting, blocked, lines, add: addAndShow, resume, isOver, takeDrops };
	return <FileQueueContext value={queue}>{children}</FileQueueContext>;
}

/** Sends files one by one: the next one leaves when the one before has its answer. */
function useSending() {
	const fetcher = useFetcher<FilesAnswer>();
	const [files, setFiles] = useState<readonly File[]>([]);
	const [lines, setLines] = useState<readonly FileLine[]>([]);
	const [blocked, setBlocked] = useState<Unsent | null>(null);
	const sent = useRef<File>(undefined);
	const answered = useRef<FilesAnswer>(undefined);
	const { state, data, submit } = fetcher;
	const [first] = files;
	useEffect(() => {
		if (state !== "idle" || data === undefined || data === answered.current) return;
		answered.current = data;
		const file = sent.current;
		setBlocked(data.unsent ?? null);
		if (data.unsent || file === undefined) return;
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
	const resume = () => {
		sent.current = undefined;
		setBlocked(null);
	};
	useRetry(blocked === "offline", resume);
	const add: Take = (added) => {
		const refused = added.filter(isTooLarge).map(({ name }) => ({ fileName: name, ok: false, text: tooLargeSentence, orders: [] }));
		setLines((before) => [...(files.length > 0 ? before : []), ...refused]);
		setFiles((before) => [...before, ...added.filter((file) => !isTooLarge(file))]);
	};
	return { waiting: files.length, blocked, lines, add, resume };
}
