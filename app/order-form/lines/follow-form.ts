import { formatEuros } from "../../catalogue/money.ts";
import { parseServiceCode, services } from "../../catalogue/services.ts";
import { encodeIdentity, formatIdentity, lastBilling, lastBillingField } from "../billing-identity.ts";
import { fillFields } from "../fields/fill-fields.ts";
import { loadRemembered } from "../remembered.ts";
import { describeWithoutService } from "./count-sentences.ts";
import { computeTotals, type PurchaseTotals } from "./totals.ts";

/** The script of the form with a list, which works without it (docs/decisions/0022-scripts-on-demand.md). */
export function followForm(form: HTMLFormElement): void {
	followTotals(form);
	fillInRemembered(form);
}

/** Keeps total and hour up to date with the chosen services; the button that asks the server for them is no longer needed. */
function followTotals(form: HTMLFormElement): void {
	const promises = JSON.parse(form.dataset.promises ?? "{}");
	const ofLines = [...form.querySelectorAll<HTMLSelectElement>("select[data-line]")];
	const summaries = [...document.querySelectorAll<HTMLElement>("[data-totals]")];
	const update = () => {
		const common = parseServiceCode(form.querySelector<HTMLInputElement>("[name=service]:checked")?.value);
		const ordered = ofLines.filter(({ dataset }) => dataset.line === "ordered");
		const totals = computeTotals(
			ordered.map(({ value }) => parseServiceCode(value) ?? common),
			promises,
		);
		for (const summary of summaries) showTotals(summary, totals);
		for (const { options } of ofLines)
			if (options[0]) options[0].text = `Service commun\u00a0: ${common ? services[common].name : "à choisir"}`;
	};
	for (const button of document.querySelectorAll<HTMLElement>("[data-recalculate]")) button.hidden = true;
	form.addEventListener("change", update);
	// after « back », the browser restores the choices after this script
	addEventListener("pageshow", update);
	update();
}

function showTotals(summary: HTMLElement, totals: PurchaseTotals): void {
	const put = (part: string, text: string, within: Element | null = summary) => {
		const place = within?.querySelector(part);
		if (place && place.textContent !== text) place.textContent = text;
	};
	for (const row of summary.querySelectorAll<HTMLElement>("[data-service]")) {
		const used = totals.services.find(({ code }) => code === row.dataset.service);
		row.hidden = used === undefined;
		if (!used) continue;
		put("[data-count]", String(used.count), row);
		put("[data-price]", formatEuros(used.price), row);
	}
	put("[data-total]", formatEuros(totals.price));
	put("[data-without-service]", describeWithoutService(totals));
	put("[data-deadline]", totals.deadline ?? "");
}

/** What the customer asked this browser to remember; whom the last order was invoiced to comes first, chosen (docs/rules.md, R198). */
function fillInRemembered(form: HTMLFormElement): void {
	const stored = loadRemembered();
	if (stored === null) return;
	fillFields(form, stored.contact, { keepTyped: true });
	const other = form.querySelector("[name=billTo][value=other]")?.closest("label");
	if (!other || stored.identity === null || form.querySelector("[name=billTo]:checked")) return;
	const last = other.cloneNode(true) as HTMLElement;
	const [input, text, hint] = [last.querySelector("input"), last.querySelector("span"), last.querySelector("span span")];
	if (!input || !text || !hint) return;
	input.value = lastBilling;
	hint.textContent = "Comme pour votre dernière commande.";
	text.replaceChildren(formatIdentity(stored.identity), hint);
	const identity = document.createElement("input");
	Object.assign(identity, { type: "hidden", name: lastBillingField, value: encodeIdentity(stored.identity) });
	other.parentElement?.querySelector("label")?.before(identity, last);
	input.checked = true;
}
