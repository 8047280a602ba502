/** Exports for other concepts. */

export { countPushDevices, deletePushDevice, deletePushDevices, insertPushDevice, isOnDuty, updateDuty } from "./alerts.store.server.ts";
