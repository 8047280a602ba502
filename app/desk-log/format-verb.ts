/** What was done, as the beginning of a line: « Livrer l’extrait » for the desk, « Terminal : orders upload » for the terminal. */
export function formatVerb(verb: string): string {
	const [, atDesk] = /^bureau\s: (.+)$/.exec(verb) ?? [];
	return atDesk === undefined ? `Terminal\u00a0: ${verb}` : `${atDesk.charAt(0).toUpperCase()}${atDesk.slice(1)}`;
}
