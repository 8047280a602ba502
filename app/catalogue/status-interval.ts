/** Minutes from one measure of the service to the next; the job’s clock, the page of its state and the texts are made of it. */
export const minutesBetween = 5;
