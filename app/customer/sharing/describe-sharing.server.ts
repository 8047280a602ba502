import type { Context } from "../../../server/runtime.ts";
import { findOrderedCompany } from "../../emails/name-document.server.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import type { Order } from "../../orders/order.ts";
import { findShareableExtract, getDeletion } from "./create-share.server.ts";
import { nameCompany, nameShared } from "./name-shared.ts";
import { shareUrl } from "./share-links.server.ts";
import { formatShareMessage } from "./share-message.ts";
import { getShareState, type ShareState } from "./share-rules.ts";
import { listShareOpenings, listShares, type OpeningKind, type Share, type ShareOpening } from "./shares.store.server.ts";

/** A link as its owner sees it. Instants are ISO 8601. */
export interface DescribedShare {
	id: string;
	label: string | null;
	/** What its reader sees before opening it. */
	sender: string | null;
	purpose: string | null;
	/** Null once the link is dead, like the message in which it may be sent. */
	url: string | null;
	message: string | null;
	state: ShareState;
	withCode: boolean;
	createdAt: string;
	expiresAt: string;
	revokedAt: string | null;
	openings: DescribedOpenings;
	downloads: DescribedOpenings;
}

/** How often, and on which days: the times of the first and the last of each day. */
interface DescribedOpenings {
	count: number;
	days: { firstAt: string; lastAt: string; count: number }[];
}

export interface DescribedSharing {
	shares: DescribedShare[];
	/** When the extract is deleted, with all its links; null when no link can be made. */
	deletedAt: string | null;
	/** The payment is disputed: active links open nothing for now. */
	frozen: boolean;
	/** What the customer did just now. */
	done: ShareAct | null;
}

/** What a form of the section did, in the URL to which it redirects: a link was made, or taken back. */
export type ShareAct = "cree" | "retire";

const parameter = "partage";

export const toSharedUrl = (page: string, act: ShareAct) => `${page}?${parameter}=${act}#partage`;

/** How long after an act its notice is shown: a reload or a bookmark must not repeat it. */
const noticeMinutes = 2;

/** @returns what the URL says was done, if it was done just now. */
function findAct(request: Request, shares: readonly Share[], now: Date): ShareAct | null {
	const since = new Date(now.getTime() - noticeMinutes * 60_000);
	switch (new URL(request.url).searchParams.get(parameter)) {
		case "cree":
			return shares.some(({ created_at }) => created_at >= since) ? "cree" : null;
		case "retire":
			return shares.some(({ revoked_at }) => revoked_at !== null && revoked_at >= since) ? "retire" : null;
		default:
			return null;
	}
}

/** The links of an order's extract, for its customer only. Null for others, and when there are none and none can be made. */
export async function describeSharing(
	context: Context,
	request: Request,
	order: Order,
	access: AccessKey,
): Promise<DescribedSharing | null> {
	if (!mayAsk(access, "share")) return null;
	const { db, now } = context;
	const [extract, shares, openings] = await Promise.all([
		findShareableExtract(db, order),
		listShares(db, order.id),
		listShareOpenings(db, order.id),
	]);
	if (extract === null && shares.length === 0) return null;
	const writeMessage = await prepareMessages(context, order);
	return {
		frozen: order.disputed_at !== null,
		done: findAct(request, shares, now()),
		deletedAt: extract && getDeletion(order, extract).toISOString(),
		shares: shares.map((share) => {
			const state = getShareState(share, now());
			const url = state === "active" ? shareUrl(context, share.id) : null;
			const of = openings.filter(({ share_id }) => share_id === share.id);
			return {
				id: share.id,
				label: share.label,
				sender: share.sender,
				purpose: share.purpose,
				url,
				message: url && writeMessage(share, url),
				state,
				withCode: share.code_hash !== null,
				createdAt: share.created_at.toISOString(),
				expiresAt: share.expires_at.toISOString(),
				revokedAt: share.revoked_at?.toISOString() ?? null,
				openings: describeOpenings(of, "opened"),
				downloads: describeOpenings(of, "downloaded"),
			};
		}),
	};
}

/** @returns what writes the message of a link to the order's extract. */
async function prepareMessages({ db, environment }: Context, order: Order) {
	const company = await findOrderedCompany(db, order);
	const extractName = nameShared(environment.issuer, company);
	const named = nameCompany(order, company);
	return ({ sender, purpose, code_hash, expires_at: expiresAt }: Share, url: string) =>
		formatShareMessage({
			...{ extractName, company: named, sender, purpose, url, expiresAt },
			withCode: code_hash !== null,
			shopName: environment.shop.name,
		});
}

function describeOpenings(openings: readonly ShareOpening[], kind: OpeningKind): DescribedOpenings {
	const days = openings.filter((opening) => opening.kind === kind);
	return {
		count: days.reduce((sum, { count }) => sum + count, 0),
		days: days.map(({ first_at, last_at, count }) => ({ firstAt: first_at.toISOString(), lastAt: last_at.toISOString(), count })),
	};
}
