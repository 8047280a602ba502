import { isUuid } from "../../../server/uuid.ts";
import { formatInstant } from "../../catalogue/instants.ts";
import type { Shop } from "../../shop.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import type { Verb } from "../log/verbs.ts";
import { changePassword, createRecoveryCodes } from "../operators/change-sign-in.server.ts";
import { endSessions, listSessions } from "../operators/operators.store.server.ts";
import { deletePasskey, listPasskeys } from "../operators/passkeys.server.ts";
import type { Actor } from "../operators/roles.ts";
import type { SignedIn } from "../operators/sign-in.server.ts";
import { signInSentences } from "../sign-in/sign-in-sentences.ts";
import type { AccessAnswer, ShownSession } from "./access-page.tsx";
import { endAccess } from "./end-access.server.ts";
import type { ShownPasskey } from "./passkeys.tsx";

/** What changes one's own access. `signedOut`: this session has ended, or all. */
export type AccessChange = AccessAnswer & { cookies?: string[]; signedOut?: "this" | "all" | undefined; after?: Record<string, number> };

/** The open sessions of an operator. */
export async function listOwnSessions({ db }: Pick<Shop, "db">, { operator, sessionId }: SignedIn): Promise<ShownSession[]> {
	const sessions = await listSessions(db, operator.id);
	return sessions.map(({ id, createdAt, expiresAt, origin, userAgent }) => ({
		id,
		since: formatInstant(createdAt),
		until: formatInstant(expiresAt),
		origin: origin ?? "",
		browser: nameBrowser(userAgent ?? ""),
		isThis: id === sessionId,
	}));
}

/** The passkeys of an operator. */
export async function listOwnPasskeys({ db }: Pick<Shop, "db">, { operator }: SignedIn): Promise<ShownPasskey[]> {
	const passkeys = await listPasskeys(db, operator.id);
	return passkeys.map(({ credential_id, name, created_at, last_used_at }) => ({
		id: credential_id,
		name,
		since: formatInstant(created_at),
		usedAt: last_used_at && formatInstant(last_used_at),
	}));
}

/** A browser names its ancestors too, and Android names Linux: the first one that is found counts. */
const browsers = { "Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari" };
const systems = { Windows: "Windows", Android: "Android", iPhone: "iPhone", iPad: "iPad", "Mac OS X": "macOS", Linux: "Linux" };

/** Names browser and system well enough to recognise one's own devices. */
export function nameBrowser(userAgent: string): string {
	const find = (names: Record<string, string>) => Object.entries(names).find(([mark]) => userAgent.includes(mark))?.[1];
	return [find(browsers) ?? "Navigateur", find(systems)].filter(Boolean).join(", ");
}

/** Does what a form of « Mon accès » asks for, recorded in the trail. */
export async function changeAccess(
	shop: Shop,
	signedIn: SignedIn,
	actor: Actor,
	{ form, request }: { form: FormData; request: Request },
): Promise<AccessChange> {
	const { operator, sessionId } = signedIn;
	const what = String(form.get("do"));
	const sender = { headers: request.headers, client: actor.origin };
	const typed = (name: string) => String(form.get(name) ?? "").slice(0, 1000);
	const record = (verb: Verb, run: () => Promise<AccessChange>) => runRecorded(shop, { verb, actor }, run);
	if (what === "end-all")
		return record("end-own-sessions", async () => {
			const { acts, devices, orders, messages } = await endAccess(shop, operator.id);
			return {
				ok: true,
				text: "Toutes vos sessions sont terminées.",
				signedOut: "all",
				...(acts + devices + orders + messages > 0 && { after: { undone: acts, devices, orders, messages } }),
			};
		});
	if (what === "end-session") {
		const id = typed("session");
		return record("end-own-session", async () => {
			const ended = isUuid(id) ? await endSessions(shop.db, operator.id, [id]) : 0;
			return {
				ok: true,
				text: ended > 0 ? "La session est terminée." : "Cette session était déjà terminée.",
				signedOut: id === sessionId ? "this" : undefined,
			};
		});
	}
	if (what === "delete-passkey")
		return record("delete-passkey", async () => {
			const deleted = await deletePasskey(shop.db, operator.id, typed("passkey"));
			return { ok: deleted, text: deleted ? "La clé d’accès est supprimée." : "Cette clé d’accès n’existe plus." };
		});
	if (what === "change-password")
		return record("change-password", async () => {
			const outcome = await changePassword(shop, signedIn, { current: typed("current"), next: typed("next") }, sender);
			if (!outcome.ok) return { ok: false, text: signInSentences[outcome.code === "wrong" ? "wrongPassword" : outcome.code] };
			return { ok: true, text: "Le mot de passe est changé, et vos autres sessions sont terminées.", cookies: outcome.cookies };
		});
	if (what === "new-codes")
		return record("make-recovery-codes", async () => {
			const outcome = await createRecoveryCodes(shop, signedIn, typed("current"), sender);
			if (!outcome.ok) return { ok: false, text: signInSentences[outcome.code === "wrong" ? "wrongPassword" : outcome.code] };
			return { ok: true, text: "Notez ces codes\u00a0: ils ne seront plus montrés.", recoveryCodes: outcome.recoveryCodes };
		});
	return { ok: false, text: "Cette action n’existe pas." };
}
