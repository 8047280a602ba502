/** How long a line of the same kind is counted instead of written. */
const intervalMs = 60_000;

/** Kinds that are remembered; more than an outage has. */
const maxKinds = 200;

type Write = (fields: object, message: string) => void;

/**
 * Writes a line of a kind at once, and the following ones of that kind at most once a minute, with the number of lines left out since as
 * `more`: an outage must not hide what else happens.
 */
export function createRepeats(
	now: () => number = () => performance.now(),
): (kind: string, write: Write, fields: object, message: string) => void {
	const kinds = new Map<string, { at: number; more: number }>();
	return (kind, write, fields, message) => {
		const last = kinds.get(kind);
		if (last && now() - last.at < intervalMs) {
			last.more++;
			return;
		}
		if (kinds.size >= maxKinds) kinds.clear();
		kinds.set(kind, { at: now(), more: 0 });
		write({ ...fields, ...(last && last.more > 0 && { more: last.more }) }, message);
	};
}

/** The kind of a fault: its first line without numbers and ids, so that the same fault of many orders is one kind. */
export const getFaultKind = (error: unknown): string =>
	(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
		.split("\n", 1)[0]
		?.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|KB-\w{4}-\w{4}|\d+/g, "#") ?? "";
