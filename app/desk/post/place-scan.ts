import type { LetterRow } from "./post.store.server.ts";
import { fieldName } from "./typed-numbers.ts";

/**
 * Puts what the camera has read into the form. The code of a sheet moves to that letter's field; a tracking number goes into the field
 * that has the focus, or the first empty one. @returns what happened, in words.
 */
export function placeScan(form: HTMLFormElement | null, letters: readonly Pick<LetterRow, "id" | "number">[], text: string): string {
	const findField = (id: string) => form?.elements.namedItem(fieldName(id)) as HTMLInputElement | null;
	const number = /KB-[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(text.toUpperCase())?.[0];
	if (number !== undefined) {
		const letter = letters.find((each) => each.number === number);
		if (!letter) return `La commande ${number} n’attend pas de numéro de suivi.`;
		findField(letter.id)?.focus();
		return `Courrier ${number}\u00a0: lisez maintenant son numéro de suivi.`;
	}
	const fields = letters.map(({ id, number }) => ({ number, field: findField(id) }));
	if (fields.some(({ field }) => field?.value === text)) return `${text} est déjà saisi.`;
	const target =
		fields.find(({ field }) => field === document.activeElement && field?.value === "") ?? fields.find(({ field }) => field?.value === "");
	if (!target?.field) return "Tous les courriers ont un numéro.";
	target.field.value = text;
	// as if it was typed
	target.field.dispatchEvent(new Event("input", { bubbles: true }));
	fields.find(({ field }) => field?.value === "")?.field?.focus();
	return `${text} est saisi pour ${target.number}.`;
}
