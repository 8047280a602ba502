/** Streams that one client may have open at one process: as many pages of orders side by side. */
const mostPerClient = 20;

/** Counts the open streams of each client of this process. */
export interface StreamPlaces {
	/** @returns how to give the place back, or null when the client has none left. */
	take(client: string): (() => void) | null;
}

/** @returns the places, and how many of them are taken. */
export function streamPlaces(): StreamPlaces & { count(): number } {
	const taken = new Map<string, number>();
	return {
		count: () => [...taken.values()].reduce((sum, streams) => sum + streams, 0),
		take(client) {
			const before = taken.get(client) ?? 0;
			if (before >= mostPerClient) return null;
			taken.set(client, before + 1);
			return () => {
				const left = (taken.get(client) ?? 1) - 1;
				if (left > 0) taken.set(client, left);
				else taken.delete(client);
			};
		},
	};
}
