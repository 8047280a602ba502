/** A constant that is computed at its first use, such as a file that most processes never need. */
export function lazy<Value>(read: () => Value): () => Value {
	let kept: { value: Value } | undefined;
	return () => {
		kept ??= { value: read() };
		return kept.value;
	};
}
