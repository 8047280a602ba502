/** Masks an address so that only its owner recognises it: « a…@example.fr ». */
export function maskEmail(email: string): string {
	const at = email.lastIndexOf("@");
	const [first = "", ...others] = email.slice(0, at);
	return `${others.length > 0 ? first : ""}…${email.slice(at)}`;
}
