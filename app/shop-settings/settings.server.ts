/** Exports for other concepts. */

export { hasClockChangedSince, listSettingChanges, readSettings } from "./shop-settings.store.server.ts";
