/** The health of the shop as the head of the desk shows it: texts, so that the browser computes nothing. */
export interface ShopHealth {
	/** « 10 h 05 » */
	readAt: string;
	/** What does not work, the gravest first; empty when all is well. */
	problems: HealthProblem[];
	/** What to do about all of them; null when all is well. */
	todo: string | null;
	/** Label and value, for those who want to know. */
	rows: (readonly [label: string, value: string])[];
}

export interface HealthProblem {
	/** What does not work. */
	title: string;
	/** What it means for orders, and what an operator does meanwhile. */
	text: string;
}
