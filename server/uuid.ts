const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL would take a text for a UUID, in the form that we write. */
export function isUuid(text: string): boolean {
	return form.test(text);
}
