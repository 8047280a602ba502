import type { Shop } from "../../shop.ts";
import { listByHour, listByOperator, listByService, listRefundsByReason } from "./figures.store.server.ts";
import { type Period, parsePeriod } from "./period.ts";

export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** Reads the figures of a period. @param params `du` and `au`. */
export async function readFigures({ db, now: clock }: Pick<Shop, "db" | "now">, params: URLSearchParams) {
	const now = clock();
	const { firstDay, lastDay, ...bounds }: Period = parsePeriod(params, now);
	const period = { firstDay, lastDay, ...bounds };
	const [byService, byHour, byOperator, refunds] = await Promise.all([
		listByService(db, period, now),
		listByHour(db, period, now),
		listByOperator(db, period, now),
		listRefundsByReason(db, period),
	]);
	return { firstDay, lastDay, byService, byHour, byOperator, refunds };
}
