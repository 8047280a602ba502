const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID in the form that PostgreSQL prints. */
export function isUuid(text: string): boolean {
	return uuidPattern.test(text);
}
