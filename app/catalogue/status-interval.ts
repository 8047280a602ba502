/** Minutes between two status probes. The job, the status page and the texts use it. */
export const minutesBetween = 5;
