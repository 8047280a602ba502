/** A partner's API cannot be read any further; the message is a sentence for the operator. */
export class PartnerError extends Error {}
