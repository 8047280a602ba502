import type { Database } from "../../../server/database/database.ts";
import { type ReplyTemplate, replyTemplates } from "./reply-templates.ts";

/** All SQL on `reply_templates`. */

/** The templates of today: the shop's own, as operators have changed them, and those that they have added. */
export async function listReplyTemplates(db: Database): Promise<ReplyTemplate[]> {
	const rows = await db.selectFrom("reply_templates").selectAll().orderBy("title").execute();
	const changed = new Map(rows.map((row) => [row.id, row]));
	const added = rows.filter(({ id }) => replyTemplates.every((template) => template.id !== id));
	return [...replyTemplates.map((template) => changed.get(template.id) ?? template), ...added].flatMap(({ id, title, text }) =>
		text === null ? [] : { id, title, text },
	);
}

/** @param text null: the template is not offered any more. */
export async function upsertReplyTemplate(
	db: Database,
	{ id, title, text, by, now }: { id: string; title: string; text: string | null; by: string; now: Date },
): Promise<void> {
	const set = { title, text, changed_at: now, changed_by: by };
	await db
		.insertInto("reply_templates")
		.values({ id, ...set })
		.onConflict((conflict) => conflict.column("id").doUpdateSet(set))
		.execute();
}
