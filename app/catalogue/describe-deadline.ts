import { isPosted, type ServiceCode } from "./services.ts";

/** « livré lundi 23 novembre avant 10 h », « posté mercredi 25 novembre avant 18 h ». @param deadline of formatDeadlines. */
export const describeArrival = (code: ServiceCode, deadline: string): string => `${isPosted(code) ? "" : "livré "}${deadline}`;

/** « Si vous payez maintenant : livré lundi 23 novembre avant 10 h. » @param deadline of formatDeadlines. */
export const describeDeadline = (code: ServiceCode, deadline: string): string =>
	`Si vous payez maintenant\u00a0: ${describeArrival(code, deadline)}.`;
