import { formatSiren } from "../../companies/siren.ts";
import { type DraftOutcome, insertDraft } from "../../fulfilment/drafts/insert-draft.server.ts";
import { maxDroppedFiles, type SortedFile, sortFiles } from "../../fulfilment/drafts/sort-files.server.ts";
import { servingRefusals } from "../../fulfilment/refusals.ts";
import { restoreLostExtract } from "../../fulfilment/replace-extract.server.ts";
import { maxExtractBytes } from "../../orders/documents/extract-size.ts";
import type { Order } from "../../orders/order.ts";
import type { Shop } from "../../shop.ts";
import { findPendingAct } from "../log/acts.store.server.ts";
import type { Actor } from "../operators/roles.ts";
import { describeClaimRefusal } from "../queue/claim-sentences.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { findOtherHolder } from "./find-other-holder.server.ts";
import type { DropAnswer, FileLine, FilesAnswer } from "./upload-answer.ts";

/** Takes the file that an operator drops on an order. */
export async function receiveFile(shop: Shop, operator: Actor, order: Order, request: Request): Promise<DropAnswer> {
	const [file, ...others] = await readFiles(request);
	if (file === undefined) return refuse("Choisissez un fichier PDF ou une photo.");
	if (others.length > 0) return refuse("Déposez un seul fichier ici. Plusieurs fichiers se déposent sur la page «\u00a0Fichiers\u00a0».");
	if (file.size > maxExtractBytes) return refuse(servingRefusals["too-large"]);
	const held = await findOtherHolder(shop, order, operator);
	if (held !== null) return refuse(held);
	// another file would take the place of the one that is about to be delivered
	if (await findPendingAct(shop.db, { orderId: order.id, now: shop.now() })) return refuse(servingRefusals["pending-act"]);
	const bytes = new Uint8Array(await file.arrayBuffer());
	const outcome = await insertDraft(shop, { orderId: order.id, bytes, fileName: cleanName(file), operator: operator.id });
	if (!outcome.ok && outcome.code === "same-extract" && (await restoreLostExtract(shop, order.id, bytes)))
		return {
			state: "kept",
			text: "C’est l’extrait de cette commande, et son fichier manquait\u00a0: il est de nouveau à sa place. Rien n’est envoyé.",
		};
	return toAnswer(outcome);
}

function toAnswer(outcome: DraftOutcome): DropAnswer {
	if (!outcome.ok) {
		const text = outcome.code === "not-pdf" ? "Ce fichier n’est ni un PDF ni une photo en JPEG ou en PNG." : servingRefusals[outcome.code];
		return refuse(text, outcome.order?.order_number);
	}
	return {
		state: "kept",
		text: outcome.again ? "Ce fichier est déjà déposé ici\u00a0: rien n’a changé." : "Le fichier est déposé. Rien n’est encore envoyé.",
	};
}

const refuse = (text: string, order: string | null = null): DropAnswer => ({ state: "refused", text, order });

/** Takes several files, each for the order of its company. */
export async function receiveFiles(shop: Shop, operator: Actor, request: Request): Promise<FilesAnswer> {
	const files = await readFiles(request);
	if (files.length === 0) return { lines: [], text: "Choisissez un ou plusieurs fichiers PDF." };
	if (files.length > maxDroppedFiles) return { lines: [], text: `Déposez au plus ${maxDroppedFiles} fichiers à la fois.` };
	const tooLarge = files.filter(({ size }) => size > maxExtractBytes);
	const small = files.filter(({ size }) => size <= maxExtractBytes);
	const read = await Promise.all(
		small.map(async (file) => ({ fileName: cleanName(file), bytes: new Uint8Array(await file.arrayBuffer()) })),
	);
	const sorted = await sortFiles(shop, read, operator);
	return { lines: [...sorted.map(toLine), ...tooLarge.map(({ name }) => refusedLine(name, servingRefusals["too-large"]))], text: null };
}

function toLine(file: SortedFile): FileLine {
	if (!file.ok) {
		const orders = file.orders.map(({ order_number }) => order_number);
		if (file.code === "held-by-other") return { ...refusedLine(file.fileName, describeClaimRefusal(file.held)), orders };
		const text = file.siren ? `${servingRefusals[file.code]} SIREN lu\u00a0: ${formatSiren(file.siren)}.` : servingRefusals[file.code];
		return { ...refusedLine(file.fileName, text), orders };
	}
	const { order, others } = file;
	const more =
		others.length > 0 ? ` Cette entreprise a ${others.length + 1} commandes en attente\u00a0: la plus pressée est servie d’abord.` : "";
	const named = [order.company_name, order.reference].filter(Boolean).join(", ");
	return { fileName: file.fileName, ok: true, text: `${named}.${more}`, orders: [order.order_number] };
}

const refusedLine = (fileName: string, text: string): FileLine => ({ fileName, ok: false, text, orders: [] });

/** A file's name without control characters and marks of direction: it is shown, and PostgreSQL accepts no NUL. */
const cleanName = ({ name }: File) => name.replace(/[\p{Cc}\p{Cf}]/gu, "").toWellFormed();

/** The files of a form, without the empty one that a browser sends for an empty field. */
async function readFiles(request: Request): Promise<File[]> {
	const form = await readDeskForm(request);
	return form.getAll("file").filter((value): value is File => typeof value !== "string" && (value.size > 0 || value.name !== ""));
}
