/** Exports for other concepts. */

export { countPushDevices, deletePushDevice, insertPushDevice, isOnDuty, updateDuty } from "./alerts.store.server.ts";
