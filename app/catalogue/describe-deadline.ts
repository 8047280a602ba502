import type { Deadline } from "./deadlines.ts";
import { isPosted, type ServiceCode } from "./services.ts";

/** « livré lundi 23 novembre avant 10 h », « posté mercredi 25 novembre avant 18 h », « indisponible jusqu’à 14 h ». */
export const describeArrival = (code: ServiceCode, { text, open }: Deadline): string => `${isPosted(code) || !open ? "" : "livré "}${text}`;

/** « Si vous payez maintenant : livré lundi 23 novembre avant 10 h. », « Indisponible jusqu’à 14 h. » */
export const describeDeadline = (code: ServiceCode, deadline: Deadline): string =>
	deadline.open
		? `Si vous payez maintenant\u00a0: ${describeArrival(code, deadline)}.`
		: `${deadline.text.charAt(0).toUpperCase()}${deadline.text.slice(1)}.`;
