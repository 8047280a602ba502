/** Exports for other concepts. */

export { listAlertMailsByEmail } from "./alert-mails.store.server.ts";
export {
	countAlerts,
	deleteAlertsByEmail,
	deleteOldAlertProofs,
	deleteOldAlertRequests,
	endSilentAlerts,
	listAlertsByEmail,
} from "./alerts.store.server.ts";
