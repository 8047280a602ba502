/** Minutes between two e-mails with order numbers to one mailbox: the last one is then recent enough to be found. */
export const lostNumberMinutes = 10;
