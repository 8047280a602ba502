/** Does the same for each of many, at most `most` at a time, in their order. The first throw ends it, once what was begun has ended. */
export async function forEachConcurrent<Item>(
	most: number,
	items: Iterable<Item> | AsyncIterable<Item>,
	work: (item: Item) => Promise<void>,
): Promise<void> {
	const left = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
	let taking: Promise<unknown> = Promise.resolve();
	let fault: { error: unknown } | undefined;
	// an asynchronous iterator is asked for one item after the other
	const take = () => {
		const next = taking.then(() => left.next());
		taking = next.catch(() => {});
		return next;
	};
	async function worker(): Promise<void> {
		try {
			for (let next = await take(); !next.done && !fault; next = await take()) await work(next.value);
		} catch (error) {
			fault ??= { error };
		}
	}
	await Promise.all(Array.from({ length: most }, worker));
	if (fault) throw fault.error;
}
