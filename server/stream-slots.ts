/** Per process. Each open tracking page has one stream. */
const maxStreamsPerClient = 20;

/** Counts the open streams of each client of this process. */
export interface StreamSlots {
	/** @returns a function that releases the slot, or null when the client has no slot left. */
	reserve(client: string): (() => void) | null;
}

/** @returns the slots, and a count of those in use. */
export function createStreamSlots(): StreamSlots & { count(): number } {
	const openStreams = new Map<string, number>();
	return {
		count: () => [...openStreams.values()].reduce((sum, streams) => sum + streams, 0),
		reserve(client) {
			const open = openStreams.get(client) ?? 0;
			if (open >= maxStreamsPerClient) return null;
			openStreams.set(client, open + 1);
			return () => {
				const stillOpen = (openStreams.get(client) ?? 1) - 1;
				if (stillOpen > 0) openStreams.set(client, stillOpen);
				else openStreams.delete(client);
			};
		},
	};
}
