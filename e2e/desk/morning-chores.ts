import { expect, type Page } from "@playwright/test";
import { scaledTimeout } from "../../test/time-limits.ts";
import {
	deliver,
	deliverButton,
	dropFile,
	makeExtract,
	type Operator,
	press,
	type Served,
	takeNext,
	type WaitingOrder,
} from "./morning.ts";

// What interrupts operators who serve orders. Each chore begins and ends at any page of the desk.

const slow = { timeout: scaledTimeout(10_000) };

/** A chore that needs an order. @throws when none is left. */
async function takeOne(operator: Operator): Promise<WaitingOrder> {
	const order = await takeNext(operator);
	if (order === null) throw new Error("no order is left for this chore");
	return order;
}

const pressButton = (operator: Operator, name: string | RegExp) => press(operator, operator.page.getByRole("button", { name }).first());
/** Opens a page of the menu. */
export async function openMenu(operator: Operator, name: string): Promise<void> {
	const link = operator.page.getByRole("navigation", { name: "Bureau" }).getByRole("link", { name, exact: true });
	await press(operator, link);
	await expect(link).toHaveAttribute("aria-current", "page", slow);
	await expect(operator.page.getByRole("heading", { level: 1 }).first()).not.toHaveText(/^KB-/, slow);
}

const unfold = (operator: Operator, title: string) => press(operator, operator.page.locator("summary", { hasText: title }));
const isSaid = (operator: Operator, text: string | RegExp) => expect(operator.page.getByText(text).first()).toBeVisible(slow);

/** Takes the letters first, so that they can be posted in the morning. */
export async function obtainLetters(operator: Operator, picture: (name: string) => Promise<void>): Promise<Served[]> {
	const served: Served[] = [];
	for (;;) {
		const begunAt = performance.now();
		await openMenu(operator, "Commandes");
		await press(operator, operator.page.getByRole("navigation", { name: "Listes" }).getByRole("link", { name: /^Courrier/ }));
		await expect(operator.page.locator('input[name="list"][value="courrier"]')).toBeAttached(slow);
		const order = await takeNext(operator);
		if (order === null) return served;
		expect(order.service).toBe("postal");
		await dropFile(operator, makeExtract(order));
		await expect(deliverButton(operator)).toBeVisible(slow);
		if (served.length === 0) await picture("letter-extract");
		await deliver(operator);
		const acts = ["orders", "letters", "next", "the file", "deliver"].length;
		served.push({ number: order.number, ms: performance.now() - begunAt, acts });
	}
}

/** Prints all letters, then records their tracking numbers. */
export async function postLetters(operator: Operator, count: number, picture: (name: string) => Promise<void>): Promise<void> {
	const { page } = operator;
	await openMenu(operator, "Courrier");
	const download = page.getByRole("button", { name: /^Télécharger l/ });
	let left = count;
	while (left > 0) {
		await expect(page.getByRole("heading", { name: /^À imprimer/ })).toHaveText(`À imprimer ${left}`, { timeout: scaledTimeout(60_000) });
		if (left === count) await picture("letters-to-print");
		// its letters are counted before: once it is downloaded, the button offers the others
		const printed = Number(/\d+/.exec((await download.textContent()) ?? "")?.[0] ?? 1);
		const [file] = await Promise.all([page.waitForEvent("download"), press(operator, download)]);
		expect(file.suggestedFilename()).toMatch(/\.pdf$/);
		await isSaid(operator, /^PDF téléchargé à \d/);
		await pressButton(operator, "C’est imprimé");
		left -= printed;
		await expect(page.getByRole("heading", { name: /^À imprimer/ })).toHaveText(`À imprimer ${left}`, slow);
	}
	await expect(page.getByRole("heading", { name: /^À poster/ })).toHaveText(`À poster ${count}`, slow);
	const fields = page.getByLabel(/^Numéro de suivi/);
	for (let index = 0; index < count; index++) await fields.nth(index).fill(`1A${String(20_000_000_000 + index)}`);
	await picture("letters-to-post");
	await pressButton(operator, "Noter les numéros");
	await isSaid(operator, count === 1 ? /^1 courrier posté/ : new RegExp(`^${count} courriers postés`));
	await picture("letters-posted");
}

/** The registry has no extract of the company. */
export async function reportNotFound(operator: Operator, picture: (name: string) => Promise<void>): Promise<string> {
	const { number } = await takeOne(operator);
	await unfold(operator, "Extrait introuvable");
	await operator.page.getByLabel("Pourquoi").selectOption({ label: "L’entreprise est radiée" });
	await picture("not-found");
	await pressButton(operator, "Signaler introuvable et rembourser");
	await isSaid(operator, /Signaler l’extrait introuvable/);
	return number;
}

/** The customer named another company by mistake. The extract comes later (see serveChanged). */
export async function changeCompany(operator: Operator, siren: string, picture: (name: string) => Promise<void>): Promise<WaitingOrder> {
	const order = await takeOne(operator);
	await unfold(operator, "Changer l’entreprise");
	await operator.page.getByLabel("SIREN de la bonne entreprise").fill(siren);
	await operator.page.getByLabel("Accord du client").fill("Par téléphone, ce matin à 8 h 10.");
	await picture("change-company");
	await pressButton(operator, "Changer l’entreprise");
	await isSaid(operator, /Changer l’entreprise de la commande/);
	return { ...order, siren };
}

/** Serves an order whose company has changed, once the change can no longer be undone. */
export async function serveChanged(operator: Operator, order: WaitingOrder): Promise<void> {
	const { page, database } = operator;
	const readSiren = async () => (await database.query("select siren from orders where id = $1", [order.id])).rows[0].siren;
	await expect.poll(readSiren, { timeout: scaledTimeout(60_000) }).toBe(order.siren);
	await page.goto(`/bureau/commandes/${order.number}`);
	await dropFile(operator, makeExtract(order));
	await deliver(operator);
}

/** An extract lands on another company's order, and is moved to its own; then both are served. */
export async function dropWrongExtract(operator: Operator, picture: (name: string) => Promise<void>): Promise<void> {
	const { page, database } = operator;
	const order = await takeOne(operator);
	const { rows } = await database.query(
		`select order_number as number, siren from orders where status = 'processing' and siren <> $1 and product_code <> 'postal'
			and not exists (select from documents where order_id = orders.id and doc_type = 'kbis')
			and not exists (select from order_claims where order_id = orders.id)
			and not exists (select from desk_acts where order_id = orders.id)
		order by promised_at desc limit 1`,
		[order.siren],
	);
	const other = rows[0] as { number: string; siren: string } | undefined;
	if (other === undefined) throw new Error("no other company’s order waits");
	await dropFile(operator, makeExtract(other));
	await expect(page.getByText("Cette entreprise a une commande en attente")).toBeVisible(slow);
	await expect(deliverButton(operator)).toBeHidden();
	await picture("wrong-extract");
	await pressButton(operator, `Y déposer ce fichier (${other.number})`);
	await isSaid(operator, `Le fichier est déposé sur la commande ${other.number}.`);
	await dropFile(operator, makeExtract(order));
	await deliver(operator);
	// who moved the file has its order too
	await page.goto(`/bureau/commandes/${other.number}`);
	await deliver(operator);
}

/** The network is lost while a file is dropped; it is sent once it is back. */
export async function serveThroughLostNetwork(operator: Operator, picture: (name: string) => Promise<void>): Promise<void> {
	const { page } = operator;
	const order = await takeOne(operator);
	await page.context().setOffline(true);
	await dropFile(operator, makeExtract(order));
	await isSaid(operator, "Pas de réseau. Le fichier reste ici");
	await picture("offline");
	await page.context().setOffline(false);
	await deliver(operator);
}

/** Stops the sale of express orders for today, looks at the public site, and resumes. */
export async function pauseExpress(
	operator: Operator,
	visitor: Page,
	picture: (name: string, page?: Page) => Promise<void>,
): Promise<void> {
	const notice = visitor.getByText(/^Le KBIS Express n’est pas proposé/);
	await openMenu(operator, "Réglages");
	await pressButton(operator, "Arrêter l’express pour aujourd’hui");
	await expect(operator.page.getByRole("button", { name: "Reprendre l’express" })).toBeVisible(slow);
	await visitor.goto("/tarifs");
	await expect(notice).toBeVisible();
	await picture("express-paused");
	await picture("prices-without-express", visitor);
	await pressButton(operator, "Reprendre l’express");
	await expect(operator.page.getByRole("button", { name: "Arrêter l’express pour aujourd’hui" })).toBeVisible(slow);
	await visitor.goto("/tarifs");
	await expect(notice).toBeHidden();
}

/** Claims the least pressing standard order, so that nobody serves it. @returns its number. */
export async function setAside(operator: Operator): Promise<string> {
	const { page } = operator;
	await openMenu(operator, "Commandes");
	await press(operator, page.getByRole("navigation", { name: "Listes" }).getByRole("link", { name: /^Standard/ }));
	await expect(page.locator('input[name="list"][value="standard"]')).toBeAttached(slow);
	const row = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: /^Prendre la commande/ }) });
	const number = /KB-\w{4}-\w{4}/.exec((await row.last().textContent()) ?? "")?.[0] ?? "";
	await press(operator, row.last().getByRole("button"));
	await expect(page.getByRole("button", { name: `Rendre la commande ${number}` })).toBeVisible(slow);
	return number;
}

const openMoney = (operator: Operator, number: string) => operator.page.goto(`/bureau/argent/${number}`);

/** Asks for the whole refund of an order in progress, which stops it. A second person approves it. */
export async function askToRefundAll(operator: Operator, number: string, picture: (name: string) => Promise<void>): Promise<void> {
	const { page } = operator;
	await openMoney(operator, number);
	await press(operator, page.getByLabel(/^Tout ce qui reste/));
	await press(operator, page.getByLabel(/^Elle s’arrête/));
	await page.getByLabel("Motif").selectOption({ label: "Demande du client, geste commercial" });
	await picture("refund-all");
	await pressButton(operator, "Rembourser");
	await isSaid(operator, "Une deuxième personne doit approuver.");
}

/** Approves what another person asked for. */
export async function approveRefund(operator: Operator, picture: (name: string) => Promise<void>): Promise<void> {
	await openMenu(operator, "Argent");
	await expect(operator.page.getByRole("button", { name: "Approuver" })).toBeVisible({ timeout: scaledTimeout(120_000) });
	await picture("to-approve");
	await pressButton(operator, "Approuver");
	await expect(operator.page.getByRole("button", { name: "Approuver" })).toBeHidden(slow);
}

/** Refunds half of a delivered order. */
export async function refundHalf(operator: Operator, number: string, picture: (name: string) => Promise<void>): Promise<void> {
	const { page } = operator;
	await openMoney(operator, number);
	await press(operator, page.getByLabel(/^La moitié/));
	await page.getByLabel("Motif").selectOption({ label: "Retard, geste commercial" });
	await pressButton(operator, "Rembourser");
	await isSaid(operator, /«\sRembourser\s» est demandé/);
	await picture("refund-half");
}

/** Answers the message of a customer, beginning with a template. */
export async function answerMessage(operator: Operator, picture: (name: string) => Promise<void>): Promise<void> {
	const { page } = operator;
	await openMenu(operator, "Messages");
	await picture("messages");
	await press(operator, page.getByRole("main").getByRole("listitem").getByRole("link").first());
	await pressButton(operator, "Je réponds");
	await isSaid(operator, /^Vous répondez/);
	// the message names no order: the template speaks of the one that the operator confirms
	await press(operator, page.getByLabel(/^À propos de la commande/));
	await page.getByLabel("Modèle").selectOption({ label: "Retard expliqué" });
	await pressButton(operator, "Insérer");
	await expect(page.getByRole("region", { name: "Aperçu" })).toBeVisible(slow);
	await picture("reply");
	await pressButton(operator, "Envoyer");
	await isSaid(operator, "Votre réponse est en cours d’envoi.");
	await openMenu(operator, "Messages");
	await isSaid(operator, /^Aucun message n’attend de réponse/);
}

/** Writes to the shop by its form, as a customer. */
export async function writeMessage(visitor: Page, email: string): Promise<void> {
	await visitor.goto("/contact");
	await visitor.getByLabel("Nom", { exact: true }).fill("Ada Lovelace");
	await visitor
		.getByLabel(/e-mail/i)
		.first()
		.fill(email);
	await visitor.getByLabel("Message", { exact: true }).fill("Bonjour, où en est ma commande ? Je l’attendais ce matin.");
	await visitor.getByRole("button", { name: /^Envoyer/ }).click();
	await expect(visitor.getByText(/message/i).first()).toBeVisible();
}
