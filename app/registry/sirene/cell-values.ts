/** Returns null for empty and for withheld values ([ND]). */
export function cleanValue(value: string): string | null {
	if (value === "") return null;
	const trimmed = value.trim();
	return trimmed === "" || trimmed.includes("[ND]") ? null : trimmed;
}
