/** The beginning of the tracking numbers of the demo, whose letters nobody posts. */
export const demoTracking = "DEMO";

/** The page of La Poste that shows the way of a letter; null for a letter of the demo. */
export const getLetterUrl = (trackingNumber: string): string | null =>
	trackingNumber.startsWith(demoTracking)
		? null
		: `https://www.laposte.fr/outils/suivre-vos-envois?code=${encodeURIComponent(trackingNumber)}`;
