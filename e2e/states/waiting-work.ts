import { expect, type Page } from "@playwright/test";
import type pg from "pg";
import { waitForHydration } from "../customer.ts";
import type { DeskState } from "./desk-states.ts";

// What waits for a person at the desk, and its screens, for e2e/desk/every-screen.spec.ts. Inserted in the database, where the real path is long.

/** Orders by their number. */
export interface WaitingWork {
	/** Four orders by post: two to print, of which one has no readable file, and two to post. */
	letters: string[];
	/** A letter whose extract is to come. */
	photographed: string;
	/** Nobody holds it. */
	free: string;
	/** A refund of it waits for a second person, and its payment is disputed. */
	disputed: string;
	/** Its e-mails are stored. */
	delivered: string;
	/** Of a conversation that waits for an answer. */
	conversation: string;
}

/** Inserts all work that waits. @returns the paths of a stored e-mail, and of one that is composed again. */
export async function insertWaitingWork(database: pg.Client, work: WaitingWork): Promise<{ stored: string; recomposed: string }> {
	await insertLetters(database, work);
	await insertBounces(database, work);
	await insertMoney(database, work);
	const { rows } = await database.query(
		`select mail_id as id from sent_emails join orders on orders.id = sent_emails.order_id
		where order_number = $1 order by jsonb_array_length(attachments) desc, sent_emails.sent_at desc`,
		[work.delivered],
	);
	const [stored, other] = rows.map(({ id }) => id as string);
	await database.query("delete from sent_emails where mail_id = $1", [other]);
	const path = (id = "") => `commandes/${work.delivered}/e-mails/${id}`;
	return { stored: path(stored), recomposed: path(other) };
}

/** Each letter has the file of another extract, so that its PDF can be made; the second one’s is lost. */
async function insertLetters(database: pg.Client, { letters, delivered }: WaitingWork): Promise<void> {
	for (const [index, number] of letters.entries())
		await database.query(
			`update extract_requests set uploaded_at = now(), issued_at = now(), served_by = 'Ada', bytes = file.bytes, sha256 = md5($1) || md5($2),
				storage_path = case when $3 = 1 then 'lost' else file.storage_path end, printed_at = case when $3 > 1 then now() end
			from documents as file join orders as other on other.id = file.order_id
			where file.doc_type = 'kbis' and other.order_number = $2 and extract_requests.order_id = (select id from orders where order_number = $1)`,
			[number, delivered, index],
		);
}

const longReason =
	"550 5.1.1 <une-adresse-tres-longue-qui-ne-se-coupe-nulle-part@messagerie-de-l-entreprise.example>: Recipient address rejected: User unknown in virtual mailbox table";

/** A typing error that has its suggestion, a long address of a second recipient, and a reply. */
async function insertBounces(database: pg.Client, { free, disputed, conversation }: WaitingWork): Promise<void> {
	await database.query("update orders set customer_email = 'ada.lovelace@gmial.com' where order_number = $1", [free]);
	await database.query(
		`update orders set delivery_email = 'une-adresse-tres-longue-qui-ne-se-coupe-nulle-part@messagerie-de-l-entreprise.example' where order_number = $1`,
		[disputed],
	);
	await database.query(
		`insert into mails (id, order_id, kind, created_at, sent_at, bounced_at, bounce_reason)
		select gen_random_uuid(), id, case when order_number = $1 then 'late' else 'document-ready-delivery' end, now(), now(), now(), $3
		from orders where order_number in ($1, $2)`,
		[free, disputed, longReason],
	);
	await database.query(
		`insert into conversation_messages (id, conversation_id, direction, author, text, created_at, sent_at, bounced_at, bounce_reason)
		values (gen_random_uuid(), $1, 'out', 'Ada', 'Bonjour, votre extrait est prêt.', now(), now(), now(), $2)`,
		[conversation, longReason],
	);
}

/** Two refunds to approve, one of them requested by the operator; a dispute; one difference of each kind. */
async function insertMoney(database: pg.Client, { disputed, delivered }: WaitingWork): Promise<void> {
	await database.query(
		`insert into desk_acts (key, act, order_id, fields, operator_id, operator_name, origin, requested_at, needs_approval)
		select gen_random_uuid()::text, 'refund', orders.id, $3, case when order_number = $1 then gen_random_uuid() else (select id::uuid from operators."user" limit 1) end,
			case when order_number = $1 then 'Noé Martin' else 'Ada' end, '127.0.0.1', now(), true
		from orders where order_number in ($1, $2)`,
		[
			disputed,
			delivered,
			{ part: "other", amount: "12,00", left: "5900", cause: "other", note: "Extrait reçu illisible, client très patient" },
		],
	);
	await database.query(
		`update payments set dispute_status = 'open', dispute_reason = 'product_not_received', dispute_due_at = now() + interval '1 day'
		where order_id = (select id from orders where order_number = $1)`,
		[disputed],
	);
	await database.query("update orders set disputed_at = now(), dispute_status = 'open' where order_number = $1", [disputed]);
	const { rows } = await database.query(
		"select payments.id as payment, orders.id as order from payments join orders on orders.id = order_id where order_number = $1",
		[disputed],
	);
	const { payment, order } = rows[0];
	const unknown = { paymentId: "pi_3UnPaiementInconnuChezNousDontLeNumeroEstLong", what: "missing-here", here: null, there: 5900 };
	const differences = [
		{ paymentId: payment, orderId: order, what: "refunded", here: 0, there: 1200 },
		{ ...unknown, orderId: order },
		{ ...unknown, paymentId: `${unknown.paymentId}2`, orderId: crypto.randomUUID(), copy: "lost" },
		{ ...unknown, paymentId: `${unknown.paymentId}3`, orderId: null },
		{ paymentId: payment, orderId: order, what: "missing-there", here: 5900, there: null },
	];
	await database.query(
		"insert into reconciliations (since, until, compared, differences, created_at) values (now() - interval '2 days', now(), 1204, $1, now())",
		[JSON.stringify(differences)],
	);
}

/** Acts of the operator that were refused at their time, and some that can still be undone: they stand on every page. */
async function insertActsOfTheBar(database: pg.Client): Promise<void> {
	await database.query(
		`insert into desk_acts (key, act, order_id, operator_id, operator_name, origin, requested_at, due_at, ended_at, ok, sentence)
		select gen_random_uuid()::text, 'deliver', orders.id, "user".id::uuid, "user".name, '127.0.0.1', now(),
			case when ended.ok is null then now() + interval '2 minutes' else now() end, case when not ended.ok then now() end, ended.ok,
			case when not ended.ok then 'La commande a changé entre-temps : rouvrez-la.' end
		from (select id from orders order by created_at limit 3) as orders, (select * from operators."user" limit 1) as "user",
			(values (false), (null)) as ended (ok)`,
	);
}

const main = (page: Page) => page.getByRole("main");

/** A picture of the page, as a phone would send one of an extract. */
const takePhoto = async (page: Page) => ({ name: "IMG_2041.jpg", mimeType: "image/jpeg", buffer: await page.screenshot({ type: "jpeg" }) });

/** The screens of the work that waits. The bar of acts, which then stands on every page, comes last. */
export const listWaitingStates = (
	database: pg.Client,
	{ photographed, free, disputed, delivered }: WaitingWork,
	{ stored, recomposed }: { stored: string; recomposed: string },
): DeskState[] => [
	{
		name: "an order that nobody holds",
		path: `commandes/${free}`,
		steps: (page) => expect(page.getByRole("button", { name: "Prendre cette commande" })).toBeVisible(),
	},
	{
		name: "an order by e-mail: a photo is dropped",
		path: `commandes/${free}`,
		async steps(page) {
			await page.locator('input[type="file"]').setInputFiles(await takePhoto(page));
			await expect(page.getByText("le client reçoit le fichier du greffe, pas une photo")).toBeVisible();
		},
	},
	{
		name: "a letter: a photo is dropped",
		path: `commandes/${photographed}`,
		async steps(page) {
			await page.locator('input[type="file"]').setInputFiles(await takePhoto(page));
			await expect(page.getByText("C’est une photo, mise sur une page A4.")).toBeVisible();
			const isDrawn = (picture: HTMLImageElement) => picture.complete && picture.naturalWidth > 0;
			await expect.poll(() => page.getByAltText("Page 1 du fichier déposé").evaluate(isDrawn)).toBe(true);
			await expect(page.getByText("Surlignés")).toBeHidden();
		},
	},
	{ name: "an order whose refund waits for a second person", path: `commandes/${delivered}` },
	{ name: "an e-mail as it left", path: stored, steps: (page) => expect(page.getByText("Tel qu’il est parti le")).toBeVisible() },
	{ name: "an e-mail composed again", path: recomposed, steps: (page) => expect(page.getByText("Recomposé aujourd’hui")).toBeVisible() },
	{ name: "orders to post", path: "commandes?liste=a-poster" },
	{ name: "orders that wait for a person", path: "commandes?liste=en-attente" },
	{
		name: "post: letters to print and to post",
		path: "courrier",
		steps: (page) => expect(page.getByRole("button", { name: /^Réimprimer/ })).toHaveCount(2),
	},
	{
		name: "post: an open camera",
		path: "courrier",
		async steps(page) {
			await page.evaluate(() => {
				navigator.mediaDevices.getUserMedia = async () => document.createElement("canvas").captureStream();
			});
			await page.getByRole("button", { name: "Lire les codes-barres" }).click();
			await expect(page.getByText("Présentez le code imprimé sur la lettre")).toBeVisible();
		},
	},
	{
		name: "post: a camera that does not open",
		path: "courrier",
		async steps(page) {
			await page.evaluate(() => {
				navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotAllowedError"));
			});
			await page.getByRole("button", { name: "Lire les codes-barres" }).click();
			await expect(page.getByText("La caméra ne s’ouvre pas.")).toBeVisible();
		},
	},
	{
		name: "post: a number is accepted, others are refused",
		path: "courrier",
		async steps(page) {
			const fields = page.getByLabel(/^Numéro de suivi/);
			await fields.first().fill("1A20000000001");
			await fields.last().fill("abc");
			await page.getByLabel("Ou collez une liste").fill("KB-2222-2222 1A20000000002");
			await page.getByRole("button", { name: "Noter les numéros" }).click();
			await expect(page.getByText("1 courrier posté, le client est prévenu.")).toBeVisible();
		},
	},
	{
		// shown in place of the PDF; it stays when the page is read again
		name: "letters that cannot all be printed",
		path: "courrier",
		async steps(page) {
			const isRead = page.waitForResponse(/courrier\/lettres\.data/);
			await page.getByRole("button", { name: "Télécharger les 2 courriers (PDF)" }).click();
			await isRead;
			await expect(page.getByText("Cet extrait est illisible")).toBeVisible();
			await expect(page.getByRole("button", { name: "Télécharger le courrier (PDF)" })).toBeVisible();
		},
	},
	{
		name: "post: a PDF that was downloaded",
		path: "courrier",
		async steps(page) {
			await database.query(
				`insert into letter_runs (id, operator_id, made_at, order_ids, hashes)
				select gen_random_uuid(), (select id::text from operators."user" limit 1), now(), array[order_id], array[sha256]
				from extract_requests where uploaded_at is not null and printed_at is null limit 1`,
			);
			await page.reload();
			await waitForHydration(page);
			await expect(page.getByRole("button", { name: "Télécharger de nouveau" })).toBeVisible();
		},
	},
	{
		name: "refused e-mails",
		path: "messages/refus",
		async steps(page) {
			await expect(page.getByText("Peut-être ada.lovelace@gmail.com")).toBeVisible();
			await expect(page.getByRole("heading", { name: "Réponses refusées" })).toBeVisible();
		},
	},
	{
		name: "refused e-mails: a wrong correction",
		path: "messages/refus",
		async steps(page) {
			await page.evaluate(() => {
				for (const form of document.forms) form.noValidate = true;
			});
			await main(page).getByLabel("Adresse corrigée").first().fill("ada");
			await main(page).getByRole("button", { name: "Corriger et renvoyer" }).first().click();
			await expect(page.locator("[aria-invalid=true]").first()).toBeVisible();
		},
	},
	{
		name: "money: approvals, a dispute, differences",
		path: "argent",
		async steps(page) {
			await expect(page.getByRole("button", { name: "Approuver" })).toBeVisible();
			await expect(page.getByText("Répondre avant")).toBeVisible();
			await expect(page.getByRole("button", { name: "Recréer" })).toBeVisible();
		},
	},
	{
		name: "the money of an order: a dispute, and a refund to approve",
		path: `argent/${disputed}`,
		steps: (page) => expect(page.getByRole("button", { name: "Approuver" })).toBeVisible(),
	},
	{
		name: "the money of an order: one’s own refund to approve",
		path: `argent/${delivered}`,
		async steps(page) {
			await expect(page.getByRole("button", { name: "Retirer ma demande" })).toBeVisible();
			await expect(page.getByRole("button", { name: "Approuver" })).toHaveCount(0);
		},
	},
	{
		name: "the bar: acts that were refused or can be undone",
		path: "chiffres",
		async steps(page) {
			await insertActsOfTheBar(database);
			await page.reload();
			await waitForHydration(page);
			await expect(page.getByRole("button", { name: /^J’ai vu/ })).toHaveCount(2);
		},
	},
];
