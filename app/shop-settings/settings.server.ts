/** Exports for other concepts. */

export {
	hasClockChangedSince,
	listDaysOffChanges,
	listSettingChanges,
	notifyPublicPages,
	readSettings,
} from "./shop-settings.store.server.ts";
