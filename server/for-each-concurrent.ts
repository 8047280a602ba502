/** Runs `work` on each item in order, at most `maxConcurrent` at a time. After a throw, it waits for running work, then rethrows. */
export async function forEachConcurrent<Item>(
	maxConcurrent: number,
	items: Iterable<Item> | AsyncIterable<Item>,
	work: (item: Item) => Promise<void>,
): Promise<void> {
	const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
	let reading: Promise<unknown> = Promise.resolve();
	let fault: { error: unknown } | undefined;
	// asks an asynchronous iterator for one item at a time
	const readNext = () => {
		const next = reading.then(() => iterator.next());
		reading = next.catch(() => {});
		return next;
	};
	async function worker(): Promise<void> {
		try {
			for (let next = await readNext(); !next.done && !fault; next = await readNext()) await work(next.value);
		} catch (error) {
			fault ??= { error };
		}
	}
	await Promise.all(Array.from({ length: maxConcurrent }, worker));
	if (fault) throw fault.error;
}
