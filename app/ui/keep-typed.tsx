import { type ReactNode, useLayoutEffect, useState } from "react";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface KeepTypedProps {
	/** False: the browser draws the children itself, and the fields on the screen are those of another page. */
	isFromServer?: boolean;
	/** Without events: what comes after it reads its fields itself. */
	silently?: boolean;
	children?: ReactNode;
}

/**
 * Keeps what is typed and chosen while React takes its children over from the server's page. React draws them anew where others had
 * changed them, does not tell its fields that they were used before, and gives a text area its first text again (react-dom, initTextarea).
 */
export function KeepTyped({ isFromServer = true, silently = false, children }: KeepTypedProps) {
	// before React reaches the fields
	const [kept] = useState(() => (isFromServer && !import.meta.env.SSR ? readPage() : null));
	useLayoutEffect(() => {
		if (kept) restorePage(kept, silently);
	}, [kept, silently]);
	return children;
}

interface KeptPage {
	/** Each with its text, and its key: one that has left the page belongs to no form. */
	fields: Map<Field, { text: string; key: string }>;
	/** The parts that can be opened. */
	parts: HTMLDetailsElement[];
	focused: Element | null;
}

const listFields = () => [...document.querySelectorAll<Field>("input:not([type=hidden]), select, textarea")];
const listParts = () => [...document.querySelectorAll("details")];

const readPage = (): KeptPage => ({
	fields: new Map(listFields().map((field) => [field, { text: field.value, key: getKey(field) }])),
	parts: listParts(),
	focused: document.activeElement,
});

function restorePage({ fields, parts, focused }: KeptPage, silently: boolean): void {
	const drawnParts = listParts().filter((part) => !parts.includes(part));
	for (const part of parts) {
		const drawn = part.isConnected ? undefined : drawnParts.shift();
		if (drawn) drawn.open = part.open;
	}
	const drawnFields = listFields().filter((field) => !fields.has(field));
	for (const [field, { text, key }] of fields) {
		const index = field.isConnected ? -1 : drawnFields.findIndex((drawn) => getKey(drawn) === key);
		const [shown] = field.isConnected ? [field] : drawnFields.splice(index, index < 0 ? 0 : 1);
		if (!shown) continue;
		// React, or the code of a field before this one, took the text away
		const isEmptied = field.isConnected && "defaultValue" in field && field.value === field.defaultValue;
		if (fillIn(shown, field, isEmptied ? text : field.value) && !silently) tell(shown);
		if (field === focused && shown !== field) focusAgain(shown, field);
	}
}

/** What a field and the one that is drawn in its place have in common: not the ids of useId, which differ (« _R_1_ », « _r_1_ »). */
const getKey = (field: Field) => [field.form?.id, field.id, field.name, isChoice(field) && field.value].join().replace(/_r_\w*_/gi, "");

const isChoice = (field: Field): field is HTMLInputElement => field.type === "checkbox" || field.type === "radio";

/** Fills a field in. @param held the field that held the text. @returns whether it differs from the server's page. */
function fillIn(field: Field, held: Field, text: string): boolean {
	if (isChoice(field) && isChoice(held)) {
		// the browser clears the other choices of a group
		if (held.checked === held.defaultChecked || (field.type === "radio" && !held.checked)) return false;
		field.checked = held.checked;
	} else if (field instanceof HTMLInputElement && held instanceof HTMLInputElement && held.files) {
		if (held.files.length === 0) return false;
		field.files = held.files;
	} else {
		if (text === getFirstText(held)) return false;
		if (field.value !== text) field.value = text;
	}
	return true;
}

/** Tells React what a field holds, with the events of the browser. */
function tell(field: Field): void {
	// React passes over an event of a value that it has seen
	if ("_valueTracker" in field) (field._valueTracker as { setValue(text: string): void }).setValue("\0");
	for (const type of isChoice(field) ? ["click", "input", "change"] : ["input", "change"])
		field.dispatchEvent(new Event(type, { bubbles: true }));
}

/** The text of a field in the server's page. */
const getFirstText = (field: Field) =>
	"defaultValue" in field ? field.defaultValue : ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value;

function focusAgain(field: Field, lost: Field): void {
	field.focus({ preventScroll: true });
	if ("selectionStart" in field && "selectionStart" in lost && lost.selectionStart !== null)
		field.setSelectionRange(lost.selectionStart, lost.selectionEnd);
}
