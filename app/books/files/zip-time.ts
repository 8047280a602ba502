import { zone } from "../../catalogue/instants.ts";

const wall = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });

/**
 * An instant whose local hour is that of Paris, wherever the server stands. Of the date of a file, yazl writes both: the local hour, which
 * old programs show, and the instant itself.
 */
export class ParisDate extends Date {
	/** Paris's day and hour, as if they were UTC's. */
	private readonly local: Date;

	constructor(instant: Date) {
		super(instant);
		this.local = new Date(`${wall.format(instant).replace(" ", "T")}Z`);
	}

	override getFullYear = () => this.local.getUTCFullYear();
	override getMonth = () => this.local.getUTCMonth();
	override getDate = () => this.local.getUTCDate();
	override getHours = () => this.local.getUTCHours();
	override getMinutes = () => this.local.getUTCMinutes();
	override getSeconds = () => this.local.getUTCSeconds();
}
