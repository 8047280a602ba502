import "../desk.css";
import { useEffect, useRef } from "react";
import {
	href,
	isRouteErrorResponse,
	Outlet,
	useFetchers,
	useLocation,
	useMatches,
	useNavigation,
	useRevalidator,
	useRouteLoaderData,
} from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { describeError } from "../../ui/error-page.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { ActOutcome } from "../acts/act.ts";
import { ActMessage } from "../acts/act-form.tsx";
import { listPendingLines, listRefusedLines } from "../acts/list-pending-lines.server.ts";
import { PendingBar } from "../acts/pending-bar.tsx";
import { getPosted } from "../acts/posted-answer.server.ts";
import { FileQueueProvider } from "../files/file-queue.tsx";
import { FileQueueNotice } from "../files/file-queue-notice.tsx";
import { readShopHealth } from "../health/describe-health.server.ts";
import { describeHeld } from "../money/held-refunds.server.ts";
import type { Route } from "./+types/desk";
import { DeskLayout } from "./desk-layout.tsx";
import { isMissingNetwork } from "./keep-page.ts";
import { askToKeep, findReasonToKeep, type KeptPage, ReadingFailed } from "./keep-reading.ts";
import { deskHeaders, getSignedIn, openDesk } from "./signed-in.server.ts";
import { useLastAnswer } from "./use-last-answer.ts";

export { keepPage as shouldRevalidate } from "./keep-page.ts";

export const handle = { desk: true };

export const links: Route.LinksFunction = () => [{ rel: "manifest", href: href("/bureau/app.webmanifest") }];

export const headers = () => deskHeaders;

export const middleware: Route.MiddlewareFunction[] = [
	async ({ request, context }) => {
		await openDesk({ request, context });
	},
];

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [askToKeep];

export async function loader({ context }: Route.LoaderArgs) {
	const { operator } = getSignedIn(context);
	const shop = context.get(shopContext);
	const [health, held, pending, refused] = await Promise.all([
		readShopHealth(shop),
		operator.roles.includes("refund") ? describeHeld(shop) : null,
		listPendingLines(shop, operator.id),
		listRefusedLines(shop, operator),
	]);
	return {
		health,
		held,
		pending,
		refused,
		operator: { id: operator.id, name: operator.name, roles: operator.roles },
		posted: getPosted(context),
		formKey: crypto.randomUUID(),
	};
}

export default function DeskRoute({ loaderData }: Route.ComponentProps) {
	useDeskLive();
	return (
		<FileQueueProvider enabled={loaderData.operator.roles.includes("serve")}>
			<DeskLayout {...loaderData}>
				<FileQueueNotice />
				<PostedAnswer posted={loaderData.posted} />
				<Outlet />
				<PendingBar acts={loaderData.pending} refused={loaderData.refused} />
			</DeskLayout>
		</FileQueueProvider>
	);
}

const offline = {
	title: "Pas de réseau",
	sentence: "Cette page n’a pas pu être lue. Rechargez-la quand le réseau est revenu.",
	advice: undefined,
	stack: undefined,
};

/** What an operator sees in place of a page that is gone, failed or could not be read: why, and the way back. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
	const known = useRouteLoaderData<typeof loader>("desk");
	const isOffline = isMissingNetwork(error);
	const { title, sentence, advice, stack } = isOffline ? offline : describeError(error);
	const isOurs = !isOffline && (!isRouteErrorResponse(error) || error.status >= 500);
	// the frame's data are not read after a form that was refused unread
	const isUnread = isRouteErrorResponse(error) && (error.status === 408 || error.status === 413);
	const message = (
		<div className="mx-auto max-w-form">
			<h1 className="mb-4 text-2xl">{title}</h1>
			<Notice kind={isOurs ? "failed" : "info"}>
				<p>{sentence}</p>
				{advice && <p>{advice}</p>}
				{stack && <pre className="mt-4 overflow-x-auto text-xs">{stack}</pre>}
			</Notice>
			{(known || isUnread) && !isOffline && (
				<>
					<p className="mt-6">
						{isOurs
							? "Revenez au bureau et rouvrez la page dans un instant."
							: "Revenez au bureau. Une commande se retrouve par son numéro, son entreprise ou son client."}
					</p>
					<p className="mt-3">
						<a href={href("/bureau")} className={button()}>
							Revenir au bureau
						</a>
					</p>
				</>
			)}
		</div>
	);
	return known ? <DeskLayout {...known}>{message}</DeskLayout> : <main className="p-6">{message}</main>;
}

/** Milliseconds between two readings of the page's data, however much changes. */
const shortest = 1000;
/** Milliseconds before the next try, when a reading failed or the server has closed the stream. */
const tryAgainAfter = 15_000;
/** Milliseconds after a form was sent in which the page is not read: the framework's state says only a render later that it is being sent. */
const quietTime = 2000;

/**
 * Keeps a page of the desk fresh: reads its data again after a change, at most once a second, and not while the page is hidden. When a
 * reading fails, the page stays as it was unless the answer says that it is gone; the data of the layout then have `kept`.
 */
function useDeskLive(): void {
	const { revalidate, state } = useRevalidator();
	// a reading that began before an act would show the page as it was, and the act itself is a change
	const isSending = useFetchers().some((fetcher) => fetcher.state !== "idle");
	// a reading would end the one before it, and begin a navigation anew
	const navigation = useNavigation();
	const isLoading = state !== "idle" || navigation.state !== "idle";
	const open = { mustWait: isSending || isLoading, matches: useMatches(), location: useLocation() };
	const page = useRef(open);
	page.current = open;
	useEffect(() => {
		let readAt = 0;
		let timer: number | undefined;
		let isDue = false;
		let submittedAt = Number.NEGATIVE_INFINITY;
		const typed = new Set<EventTarget>();
		const onSubmit = () => {
			submittedAt = Date.now();
		};
		const onInput = ({ target }: Event) => {
			for (const field of typed) if (field instanceof Element && !field.isConnected) typed.delete(field);
			if (target) typed.add(target);
		};
		const read = () => {
			timer = undefined;
			if (page.current.mustWait || Date.now() - submittedAt < quietTime) return readIn(200);
			if (navigator.onLine === false) return readIn(tryAgainAfter);
			isDue = document.hidden;
			if (isDue) return;
			readAt = Date.now();
			void revalidate();
		};
		const readIn = (wait: number) => {
			clearTimeout(timer);
			timer = window.setTimeout(read, wait);
		};
		const readSoon = () => readIn(Math.max(0, readAt + shortest - Date.now()));
		const onFailure = (failed: Event) => {
			if (!(failed instanceof ReadingFailed)) return;
			const why = findReasonToKeep(failed.results, () => hasText(typed));
			const { matches, location } = page.current;
			// the browser's « back » has changed its address before the page
			if (why === null || failed.address !== location.pathname + location.search) return;
			const kept: KeptPage = { why, key: location.key };
			failed.kept = Object.fromEntries(
				matches.map(({ id, loaderData }) => [
					id,
					{ type: "data", result: id === "desk" ? Object.assign({}, loaderData, { kept }) : loaderData },
				]),
			);
			timer ??= window.setTimeout(read, tryAgainAfter);
		};
		const onVisible = () => {
			if (isDue && !document.hidden) readSoon();
		};
		let stream: EventSource;
		let reopening: number | undefined;
		const listen = () => {
			stream = new EventSource(href("/bureau/direct"));
			// it begins with a change: for what happened between the making of the page and now
			stream.addEventListener("change", readSoon);
			stream.addEventListener("error", () => {
				if (stream.readyState !== EventSource.CLOSED) return;
				readSoon();
				reopening = window.setTimeout(listen, tryAgainAfter);
			});
		};
		listen();
		document.addEventListener("visibilitychange", onVisible);
		addEventListener("reading-failed", onFailure);
		addEventListener("submit", onSubmit, { capture: true });
		addEventListener("input", onInput, { capture: true });
		return () => {
			stream.close();
			clearTimeout(timer);
			clearTimeout(reopening);
			document.removeEventListener("visibilitychange", onVisible);
			removeEventListener("reading-failed", onFailure);
			removeEventListener("submit", onSubmit, { capture: true });
			removeEventListener("input", onInput, { capture: true });
		};
	}, [revalidate]);
}

const withoutText = ["checkbox", "radio", "search"];

/** Whether a field that was typed in is still on the page and not empty. A filter is in the address, not typed text. */
function hasText(typed: ReadonlySet<EventTarget>): boolean {
	return [...typed].some(
		(field) =>
			(field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && !withoutText.includes(field.type))) &&
			field.isConnected &&
			field.value !== "" &&
			field.form?.method !== "get",
	);
}

/** What became of an act that was sent without JavaScript, above the page; also once the page is read again. */
function PostedAnswer({ posted }: { posted: ActOutcome | null }) {
	return <LastOutcome key={useLocation().key} posted={posted ?? undefined} />;
}

function LastOutcome({ posted }: { posted: ActOutcome | undefined }) {
	const outcome = useLastAnswer(posted);
	if (outcome === undefined) return null;
	return (
		<div className="mx-auto mb-5 max-w-page">
			<ActMessage outcome={outcome} />
		</div>
	);
}
