/** Ends this process with 1, after one sentence that tells the operator what to do. */
export function exitWithFailure(sentence: string): never {
	console.error(sentence);
	process.exit(1);
}
