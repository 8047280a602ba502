import type { ShopIdentity } from "../../server/environment.ts";

/** A mail's content, from which both its text and its HTML are made: they cannot differ. */
export interface Letter {
	subject: string;
	/** A string is a paragraph; a pair a labelled value; a link stands on its own. */
	blocks: readonly (string | { label: string; value: string } | { link: string; url: string })[];
}

export function renderLetter(letter: Letter, shop: ShopIdentity): { subject: string; text: string; html: string } {
	const signature = [
		`${shop.name} — service privé, indépendant d’Infogreffe, des greffes, de l’INPI et de l’État.`,
		`${shop.email} · ${shop.phone}`,
	];
	const text = [...letter.blocks.map(blockText), "—", ...signature].join("\n\n");
	const body = [
		...letter.blocks.map(blockHtml),
		"<hr>",
		...signature.map((line) => `<p style="color:#5b6660">${escapeHtml(line)}</p>`),
	].join("\n");
	const html = `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>${escapeHtml(letter.subject)}</title></head><body style="font-family:Georgia,serif;font-size:16px;line-height:1.5;color:#17211d;background:#fbf9f4;padding:24px"><div style="max-width:34em;margin:auto">\n${body}\n</div></body></html>`;
	return { subject: letter.subject, text: `${text}\n`, html };
}

type Block = Letter["blocks"][number];

function blockText(block: Block): string {
	if (typeof block === "string") return block;
	return "link" in block ? `${block.link} :\n${block.url}` : `${block.label} : ${block.value}`;
}

function blockHtml(block: Block): string {
	if (typeof block === "string") return `<p>${escapeHtml(block)}</p>`;
	if ("link" in block) return `<p><a href="${escapeHtml(block.url)}" style="color:#17211d">${escapeHtml(block.link)}</a></p>`;
	return `<p>${escapeHtml(block.label)} : <strong>${escapeHtml(block.value)}</strong></p>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
