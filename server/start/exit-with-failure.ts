/** Ends this process after one sentence that tells the operator what to do. @param code 1 for a failure, 2 for wrong usage or settings, with which another start would fail too. */
export function exitWithFailure(sentence: string, code: 1 | 2 = 1): never {
	console.error(sentence);
	process.exit(code);
}
