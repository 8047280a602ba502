import "../desk.css";
import { href, isRouteErrorResponse, Outlet, useLocation, useRouteLoaderData } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { describeError } from "../../ui/error-page.tsx";
import { KeepTyped } from "../../ui/keep-typed.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useDrawnHere } from "../../ui/use-hydrated.ts";
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
import { askToKeep } from "./keep-reading.ts";
import { deskHeaders, getSignedIn, openDesk } from "./signed-in.server.ts";
import { useDeskLive } from "./use-desk-live.ts";
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
	const isDrawnHere = useDrawnHere();
	return (
		<KeepTyped isFromServer={!isDrawnHere}>
			<FileQueueProvider enabled={loaderData.operator.roles.includes("serve")}>
				<DeskLayout {...loaderData}>
					<FileQueueNotice />
					<PostedAnswer posted={loaderData.posted} />
					<Outlet />
					<PendingBar acts={loaderData.pending} refused={loaderData.refused} />
				</DeskLayout>
			</FileQueueProvider>
		</KeepTyped>
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
