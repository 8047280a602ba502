/** An address that its owner recognises and nobody else can write to: « a…@example.fr ». */
export function maskEmail(email: string): string {
	const at = email.lastIndexOf("@");
	const [first = "", ...others] = email.slice(0, at);
	return `${others.length > 0 ? first : ""}…${email.slice(at)}`;
}
