/** The time within which a message is answered, on every page (docs/rules.md, R54). */
export const replyTime = "24\u00a0h";
