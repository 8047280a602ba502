import { href, redirect } from "react-router";
import { formatInstant, formatLongDay } from "../../catalogue/instants.ts";
import { describeBrowser } from "../../customer/sign-in/describe-browser.ts";
import { endOtherSessions, endSession, listOpenSessions } from "../../customer/sign-in/sessions.server.ts";
import { SessionsPage } from "../../customer/space/sessions-page.tsx";
import { requireCustomer } from "../../customer/space/space-access.server.ts";
import { shopContext } from "../../shop.ts";
import { readLine } from "../../ui/forms/text.ts";
import { pageMeta } from "../../ui/site.ts";
import { privateHeaders, readForm } from "../../web/http.ts";
import type { Route } from "./+types/sessions";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = (page) => pageMeta(page, { title: "Mes connexions", index: false });

/** What the page says after each act. */
const doneSentences: Record<string, string> = {
	end: "La connexion est fermée.",
	"end-others": "Toutes les autres connexions sont fermées.",
};

export async function loader({ request, context }: Route.LoaderArgs) {
	const customer = await requireCustomer(context, request);
	const sessions = (await listOpenSessions(context.get(shopContext), customer)).map((session) => ({
		id: session.id,
		browser: describeBrowser(session.userAgent),
		openedAt: formatInstant(session.createdAt),
		endsOn: formatLongDay(session.expiresAt),
		isThisOne: session.id === customer.sessionId,
	}));
	return {
		mailbox: customer.mailbox,
		sessions: sessions.sort((one, other) => Number(other.isThisOne) - Number(one.isThisOne)),
		done: doneSentences[new URL(request.url).searchParams.get("fait") ?? ""] ?? null,
	};
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const customer = await requireCustomer(context, request);
	const form = await readForm(request);
	const act = readLine(form.get("do"));
	if (act === "end") await endSession(shop, customer, readLine(form.get("session")));
	if (act === "end-others") await endOtherSessions(shop, customer);
	const done = act in doneSentences ? `?fait=${act}` : "";
	return redirect(`${href("/mes-commandes/connexions")}${done}`, { status: 303, headers: privateHeaders });
}

export default function Sessions({ loaderData }: Route.ComponentProps) {
	return <SessionsPage {...loaderData} />;
}
