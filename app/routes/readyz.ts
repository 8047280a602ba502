import { sql } from "kysely";
import { areJobsDone } from "../../server/jobs.ts";
import { type Shop, shopContext } from "../shop.ts";
import type { Route } from "./+types/readyz";

/** Milliseconds that a part is given to answer. */
const patience = 2000;

/** Whoever asks meanwhile gets the same answer: asking often is not passed on to the partners. */
const underWay = new WeakMap<Shop["db"], Promise<Parts>>();

type Parts = Awaited<ReturnType<typeof askParts>>;

/** Whether the shop can serve: each part it leans on, asked now. */
export async function loader({ context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const asked = underWay.get(shop.db) ?? askParts(shop).finally(() => underWay.delete(shop.db));
	underWay.set(shop.db, asked);
	const parts = await asked;
	const ok = Object.values(parts).every((state) => state === "ok");
	return Response.json({ ok, ...parts }, { status: ok ? 200 : 503, headers: { "cache-control": "no-store" } });
}

async function askParts({ db, storage, mailer, provider }: Shop) {
	const [database, jobs, documents, mail, payment] = await Promise.all([
		ask(async () => (await sql`select 1`.execute(db)).rows.length === 1),
		ask(() => areJobsDone(db)),
		ask(() => storage.ready()),
		ask(() => mailer.ready()),
		ask(() => provider.ready()),
	]);
	return { database, jobs, storage: documents, mail, payment };
}

/** A part that fails, or hangs, is down. */
async function ask(isReady: () => Promise<boolean>): Promise<"ok" | "down"> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<false>((tell) => {
		timer = setTimeout(() => tell(false), patience);
	});
	const ready = await Promise.race([
		Promise.resolve()
			.then(isReady)
			.catch(() => false),
		late,
	]);
	clearTimeout(timer);
	return ready ? "ok" : "down";
}
