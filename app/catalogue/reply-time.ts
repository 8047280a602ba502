/** Hours within which a message is answered (docs/rules.md, R54). */
export const replyHours = 24;

/** The same for every page. */
export const replyTime = `${replyHours}\u00a0h`;
