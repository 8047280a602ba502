import { createContext, data, href, type RouterContextProvider, redirect } from "react-router";
import { hour } from "../../../server/durations.ts";
import { hasDesk } from "../../catalogue/settings/has-desk.store.server.ts";
import { clientContext, type Shop, shopContext } from "../../shop.ts";
import type { Refusal } from "../../ui/error-page.tsx";
import { getPagePath } from "../../web/route-patterns.ts";
import { wasRecordedSince } from "../log/desk-log.store.server.ts";
import { recordRefusedAct } from "../log/run-recorded.server.ts";
import type { Operator } from "../operators/operators.store.server.ts";
import { type Actor, type Role, roleLabels } from "../operators/roles.ts";
import { findSignedIn, type SignedIn } from "../operators/sign-in.server.ts";
import { deskPages, mayOpen } from "./desk-pages.ts";

type LoaderContext = Readonly<RouterContextProvider>;

/** Who sent this request; set by `openDesk`. */
const signedInContext = createContext<SignedIn>();

/** Milliseconds between two lines of the trail for the same page and person; a form has its line each time. */
const refusalInterval = hour;

/** Headers of every response of the desk. */
export const deskHeaders = { "cache-control": "no-store", "referrer-policy": "same-origin", "x-robots-tag": "noindex, nofollow" } as const;

/** @throws 404 until somebody was invited, and on another host than DESK_HOST: the desk then does not exist. */
export async function requireDesk({ db, environment }: Shop, request: Request): Promise<void> {
	const { deskHost } = environment;
	const isHere = deskHost === undefined || request.headers.get("host") === deskHost;
	if (!isHere || !(await hasDesk(db))) throw data(null, { status: 404 });
}

/**
 * The door of the desk, for the middleware of its pages: lets sessions in which both factors were given in, and sends others to sign in.
 * Roles are read anew for each request, so that a role taken away counts at once.
 */
export async function openDesk({ request, context }: { request: Request; context: LoaderContext }): Promise<void> {
	const shop = context.get(shopContext);
	const signedIn = await findSignedIn(shop, request.headers);
	if (signedIn === null) {
		await requireDesk(shop, request);
		const { pathname } = new URL(request.url);
		// a form or a live stream cannot go on after the sign-in; a page can
		throw redirect(
			request.method === "GET"
				? `${href("/bureau/connexion")}?vers=${encodeURIComponent(getPagePath(pathname))}`
				: href("/bureau/connexion"),
		);
	}
	const { deskHost } = shop.environment;
	if (deskHost !== undefined && request.headers.get("host") !== deskHost) throw data(null, { status: 404 });
	if (signedIn.provedAt === null) throw redirect(href("/bureau/second-facteur"));
	const page = findPage(new URL(request.url).pathname);
	if (page && !mayOpen(page, signedIn.operator.roles)) {
		const { operator } = signedIn;
		const refused = { verb: "open-page", subject: page.label };
		// an open page asks again and again
		const since = new Date(shop.now().getTime() - refusalInterval);
		const isKnown = request.method === "GET" && (await wasRecordedSince(shop.db, { ...refused, operatorId: operator.id, since }));
		if (!isKnown) await recordRefusedAct(shop, { ...refused, actor: toActor(operator, context.get(clientContext).key) });
		throw refuseRole(page.roles ?? []);
	}
	context.set(signedInContext, signedIn);
}

/** The row of deskPages for a path; undefined for /bureau itself and for unknown paths. */
function findPage(pathname: string) {
	// decoded, as the router matches it; the front has refused what cannot be decoded
	const path = decodeURIComponent(getPagePath(pathname)).toLowerCase();
	return deskPages.find((page) => path === page.path || path.startsWith(`${page.path}/`));
}

/** Who sent the request. `openDesk` has refused those who may not open its page. */
export const getSignedIn = (context: LoaderContext): SignedIn => context.get(signedInContext);

function refuseRole(needed: readonly Role[]) {
	const names = needed.map((role) => `«\u00a0${roleLabels[role]}\u00a0»`).join(" ou ");
	const refusal: Refusal = {
		sentence: `Il vous faut le rôle ${names}. Demandez-le à un responsable, ou revenez aux pages qui vous sont ouvertes.`,
		back: { url: href("/bureau"), label: "Revenir au bureau" },
	};
	return data(refusal, { status: 403 });
}

/** The operator of a request as the one who acts. */
export function getActor(context: LoaderContext): Actor {
	const { operator } = context.get(signedInContext);
	return toActor(operator, context.get(clientContext).key);
}

const toActor = ({ id, name, roles }: Operator, origin: string) => ({ id, name, roles: new Set(roles), origin });
