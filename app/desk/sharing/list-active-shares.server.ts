import type { Context } from "../../../server/runtime.ts";
import { formatDayStamp } from "../../catalogue/instants.ts";
import { getShareState } from "../../customer/sharing/share-rules.ts";
import { listShareOpenings, listShares } from "../../customer/sharing/shares.store.server.ts";
import type { ActiveShare } from "./share-form.tsx";

/** The links to the extract that still open it. */
export async function listActiveShares({ db, now }: Pick<Context, "db" | "now">, orderId: string): Promise<ActiveShare[]> {
	const [shares, openings] = await Promise.all([listShares(db, orderId), listShareOpenings(db, orderId)]);
	return shares
		.filter((share) => getShareState(share, now()) === "active")
		.map(({ id, label, created_at, expires_at }) => {
			const opened = openings.filter(({ share_id, kind }) => share_id === id && kind === "opened");
			const count = opened.reduce((sum, day) => sum + day.count, 0);
			const use = count === 0 ? "jamais ouvert" : `ouvert ${count} fois`;
			return { id, text: `${label ?? "Lien sans nom"}, du ${formatDayStamp(created_at)} au ${formatDayStamp(expires_at)}, ${use}` };
		});
}
