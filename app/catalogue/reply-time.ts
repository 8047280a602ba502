/** How soon a message is answered, whatever the page it was sent from (docs/rules.md, R54). */
export const replyTime = "24\u00a0h";
