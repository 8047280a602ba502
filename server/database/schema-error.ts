/** The schema of a database cannot become that of this program. The message says why. */
export class SchemaError extends Error {
	/** What to do with a database of DATABASE_URL. */
	readonly todo: string;

	constructor(message: string, todo: string, options?: ErrorOptions) {
		super(message, options);
		this.todo = todo;
	}
}
