import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { href, useActionData, useFetcher, useNavigate, useRouteLoaderData } from "react-router";
import { button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { keepUnsent, readUnsentForm, shutOutSentence, type Unsent } from "../shell/keep-page.ts";
import { SignInElsewhere } from "../shell/kept-notice.tsx";
import type { ActOutcome } from "./act.ts";

interface ActFormProps {
	act: string;
	/** The order's id; null for an act without an order. */
	order: string | null;
	/** Fields and button; `outcome` may name the field of a refusal. */
	children: ReactNode | ((state: { busy: boolean; outcome: ActOutcome | undefined }) => ReactNode);
	className?: string;
	/** Called once after it was done or scheduled. */
	onDone?: (outcome: ActOutcome) => void;
	/** The page that answers, when it is not this one. */
	action?: string;
	id?: string;
}

/** Milliseconds after which a form that had no network is sent again. */
const retryAfter = 4000;

/**
 * The form of an act, and what became of it. With JavaScript the page stays; without network the form keeps what was typed, and sends
 * it again with the same key until it arrives. Without JavaScript it is an ordinary form, and `PostedAnswer` shows its answer.
 */
export function ActForm({ act, order, children, className, onDone, action, id }: ActFormProps) {
	const fetcher = useFetcher<ActOutcome>();
	const form = useRef<HTMLFormElement>(null);
	const generated = useId();
	const posted = useActionData<ActOutcome>();
	const answered = fetcher.data ?? (posted?.act === act && posted.orderId === order ? posted : undefined);
	const isLeaving = useOpenPage(answered);
	const busy = fetcher.state !== "idle" || isLeaving;
	const key = useFormKey(answered, busy);
	const isOffline = answered?.state === "offline" && !busy;
	// a refusal shows when the form can be sent again: a key pressed while its button is disabled would be lost
	const outcome = busy && answered?.state === "refused" ? undefined : answered;
	const reported = useRef<string>(undefined);
	useEffect(() => {
		if (!isOffline) return;
		const again = () => form.current?.requestSubmit();
		const timer = setTimeout(again, retryAfter);
		addEventListener("online", again);
		return () => {
			clearTimeout(timer);
			removeEventListener("online", again);
		};
	}, [isOffline]);
	useEffect(() => {
		// also while the page is read again, which may take this form away
		if (!answered || reported.current === answered.key || (answered.state !== "done" && answered.state !== "scheduled")) return;
		reported.current = answered.key;
		onDone?.(answered);
	}, [answered, onDone]);
	return (
		<>
			<fetcher.Form ref={form} method="post" id={id ?? generated} className={className} action={action}>
				<input type="hidden" name="act" value={act} />
				<input type="hidden" name="key" value={key} />
				{order && <input type="hidden" name="order" value={order} />}
				{typeof children === "function" ? children({ busy, outcome }) : children}
			</fetcher.Form>
			{fetcher.data && !busy && !getPage(fetcher.data) && <ActMessage outcome={fetcher.data} />}
		</>
	);
}

const getPage = (outcome: ActOutcome | undefined) => (outcome?.state === "done" ? outcome.page : undefined);

/**
 * Opens the page that an act led to. The server does not redirect to it: the framework does not end a reading of the open page for the
 * redirect of a fetcher, and then loses the redirect or puts the old address on the new page.
 * @returns whether that page is still on its way.
 */
function useOpenPage(answered: ActOutcome | undefined): boolean {
	const navigate = useNavigate();
	const [opened, setOpened] = useState<string>();
	const page = getPage(answered);
	const isLeaving = page !== undefined && opened !== answered?.key;
	useEffect(() => {
		if (page === undefined || !isLeaving) return;
		let isCurrent = true;
		void Promise.resolve(navigate(page)).finally(() => isCurrent && setOpened(answered?.key));
		return () => {
			isCurrent = false;
		};
	}, [page, isLeaving, answered?.key, navigate]);
	return isLeaving;
}

/** The key of the next sending: it stays the same until the act has an answer, so that nothing is done twice. */
function useFormKey(answered: ActOutcome | undefined, busy: boolean): string {
	const first = useRouteLoaderData<{ formKey: string }>("desk")?.formKey ?? "";
	const [key, setKey] = useState(first);
	const wasBusy = useRef(false);
	useEffect(() => {
		const isOpen =
			answered?.state === "offline" || answered?.state === "shut-out" || answered?.state === "failed" || answered?.state === "running";
		// an answer that leads to another page leaves no outcome here
		if (wasBusy.current && !busy && !isOpen) setKey(crypto.randomUUID());
		wasBusy.current = busy;
	}, [answered, busy]);
	return key;
}

/** What became of an act, in words. */
export function ActMessage({ outcome }: { outcome: ActOutcome }) {
	// what waits on an order stands on its pages and, on all others, in the bar, with « Annuler »
	if (outcome.state === "scheduled" && outcome.orderId === null) return <ScheduledAct outcome={outcome} />;
	const kind = {
		done: "done",
		refused: "failed",
		offline: "warning",
		"shut-out": "failed",
		failed: "failed",
		undone: "info",
		running: "waiting",
		scheduled: "waiting",
		"waiting for approval": "waiting",
	} as const;
	return (
		<Notice kind={kind[outcome.state]} live className="mt-3">
			<p>{outcome.text}</p>
			{outcome.state === "shut-out" && <SignInElsewhere />}
		</Notice>
	);
}

function ScheduledAct({ outcome: { key, dueAt, text } }: { outcome: Extract<ActOutcome, { state: "scheduled" }> }) {
	const now = useNow();
	return (
		<Notice kind="waiting" live className="mt-3">
			<UndoForm actKey={key} dueAt={dueAt} now={now} text={text} />
		</Notice>
	);
}

/** For `clientAction` of an act: a form that was not read, or failed, keeps what was typed, and its key. @throws every other error. */
export async function keepUnsentAct<Answer>({
	request,
	serverAction,
}: {
	request: Request;
	serverAction: () => Promise<Answer>;
}): Promise<Answer | ActOutcome> {
	const form = await readUnsentForm(request);
	const order = form.get("order");
	const sent = { act: String(form.get("act")), key: String(form.get("key")), orderId: typeof order === "string" ? order : null };
	return keepUnsent(serverAction, (state, sentence) => ({
		...sent,
		state,
		text: state === "failed" ? `${sentence} Ce que vous avez saisi reste ici, et rien n’est fait deux fois.` : unsentTexts[state],
	}));
}

const unsentTexts: Record<Exclude<Unsent, "failed">, string> = {
	offline: "Pas de réseau. Ce que vous avez saisi reste ici et part dès que le réseau revient.",
	// an earlier sending may have arrived without its answer
	"shut-out": `${shutOutSentence} Cet envoi n’a pas été lu, et ce que vous avez saisi reste ici.`,
};

/** The sentence of a refusal that is about a field; undefined otherwise. */
export const findFieldError = (outcome: ActOutcome | undefined, field: string): string | undefined =>
	outcome?.state === "refused" && outcome.field === field ? outcome.text : undefined;

interface UndoFormProps {
	actKey: string;
	/** ISO 8601. */
	dueAt: string;
	/** Milliseconds; null before the page runs its scripts. One clock serves all forms of a page: each would hold its drawing up. */
	now: number | null;
	text: string;
	/** One of several lines. */
	compact?: boolean;
}

/** « Annuler », while there is time. */
export function UndoForm({ actKey, dueAt, now, text, compact = false }: UndoFormProps) {
	const fetcher = useFetcher<{ text: string; unsent?: Unsent }>();
	const left = now === null ? null : Date.parse(dueAt) - now;
	// rounded down: the page’s clock is up to a second behind, and would show 31 of 30 seconds
	const seconds = left === null ? 0 : Math.floor(left / 1000);
	const answer = fetcher.state === "idle" ? fetcher.data : undefined;
	if (answer && !answer.unsent) return <p>{answer.text}</p>;
	return (
		<fetcher.Form method="post" action={href("/bureau/action")} className="flex flex-wrap items-center gap-x-4">
			<input type="hidden" name="do" value="undo" />
			<input type="hidden" name="key" value={actKey} />
			<p>
				{answer?.text ?? text} {seconds > 0 && <span className="figures">{seconds}&nbsp;s pour l’annuler.</span>}
			</p>
			{(left === null || left > 0) && (
				<button type="submit" className={button(compact ? "quiet" : "secondary")}>
					Annuler
				</button>
			)}
		</fetcher.Form>
	);
}

/** The time in milliseconds, once a second; null before the page runs its scripts. */
export function useNow(): number | null {
	const [now, setNow] = useState<number | null>(null);
	useEffect(() => {
		const update = () => setNow(Date.now());
		update();
		const timer = setInterval(update, 1000);
		return () => clearInterval(timer);
	}, []);
	return now;
}
