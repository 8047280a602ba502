import { expect, type Page } from "@playwright/test";
import { openTracking } from "../flows.ts";
import { openMail } from "../mailbox.ts";
import { openDatabase } from "../shared-shop.ts";
import type { State } from "./state.ts";

/** The watch over a delivered extract: on its pages, and the page that ends it. */
export const watchStates: State[] = [
	{ name: "tracking: published since the extract", visit: (page) => openWatchedTracking(page) },
	{
		name: "verify a document: published since the extract",
		async visit(page) {
			await openWatchedTracking(page);
			await page.getByRole("link", { name: "Vérifier", exact: true }).click();
			await page.waitForURL("**/verifier/**");
			await expect(page.getByText(/Cet extrait du .* ne la montre peut-être pas/).first()).toBeVisible();
		},
	},
	{ name: "extract watch: to be ended", visit: openWatchEnd, scriptless: true },
	{
		name: "extract watch: ended",
		async visit(page) {
			await openWatchEnd(page);
			await page.getByRole("button", { name: "Ne plus recevoir ces e-mails" }).click();
			await expect(page.getByRole("heading", { name: "Vous ne recevrez plus ces e-mails" })).toBeVisible();
		},
		scriptless: true,
	},
	{ name: "extract watch: a wrong link", visit: "/suivi/surveillance/abc", status: 403, scriptless: true },
];

/**
 * Orders, pays, and opens the tracking page once notices were published since. The order moves to another company, because other
 * tests see what is published about theirs.
 */
async function openWatchedTracking(page: Page): Promise<{ email: string }> {
	const placed = await openTracking(page);
	const client = await openDatabase();
	const { rows } = await client.query(
		"select siren from companies where not masked and status = 'active' and legal_category like '57%' order by siren desc limit 1",
	);
	const { siren } = rows[0];
	await client.query("update orders set siren = $1 where order_number = $2", [siren, placed.number]);
	await client.query("insert into bulletin_texts (text) values ('capital'), ('Jugement d’ouverture de sauvegarde') on conflict do nothing");
	await client.query(
		`insert into bulletin_notices (siren, id, published_on, family, kind_id) values
			($1, 'B2026099999001', current_date + 1, 'modification', (select id from bulletin_texts where text = 'capital')),
			($1, 'A2026099999002', current_date + 2, 'collective', (select id from bulletin_texts where text like 'Jugement d’ouverture de s%')),
			($1, 'B2026099999003', current_date + 3, 'radiation', null)
		on conflict do nothing`,
		[siren],
	);
	await client.query(
		"insert into bulletin_readings (imported_at, covered_from, covered_to) values (now(), current_date - 30, current_date + 3) on conflict do nothing",
	);
	await client.end();
	await page.reload();
	await expect(page.getByText(/Votre extrait du .* ne la montre peut-être pas/).first()).toBeVisible();
	return placed;
}

/** Runs the nightly job, and opens the link of its e-mail. */
async function openWatchEnd(page: Page): Promise<void> {
	const { email } = await openWatchedTracking(page);
	const client = await openDatabase();
	await client.query("insert into jobs.job (name, singleton_key, data) values ('tell-notices', gen_random_uuid(), '{}')");
	await client.end();
	const mail = await openMail(page, email, "depuis votre extrait");
	await mail.getByRole("link", { name: "Ne plus recevoir ces e-mails" }).click();
	await expect(page.getByRole("button", { name: "Ne plus recevoir ces e-mails" })).toBeVisible();
}
