/** Exports for other concepts. */

export { hasClockChangedSince, listDaysOffChanges, listSettingChanges, readSettings } from "./shop-settings.store.server.ts";
