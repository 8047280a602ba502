import { sql } from "kysely";
import { shopContext } from "../shop.ts";
import type { Route } from "./+types/readyz";

/** Whether the shop can serve: each part it leans on, asked now. */
export async function loader({ context }: Route.LoaderArgs) {
	const { db, storage, mailer, provider } = context.get(shopContext);
	const asked = {
		database: sql`select 1`.execute(db).then(() => true),
		jobs: sql`select 1 from jobs.version`.execute(db).then(() => true),
		storage: storage.ready(),
		mail: mailer.ready(),
		payment: provider.ready(),
	};
	const parts = Object.fromEntries(
		await Promise.all(
			Object.entries(asked).map(async ([name, ready]) => [
				name,
				await ready.then(
					(yes) => (yes ? "ok" : "down"),
					() => "down",
				),
			]),
		),
	) as Record<keyof typeof asked, "ok" | "down">;
	const ok = Object.values(parts).every((state) => state === "ok");
	return Response.json({ ok, ...parts }, { status: ok ? 200 : 503, headers: { "cache-control": "no-store" } });
}
