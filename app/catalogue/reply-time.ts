/** How soon a message is answered, whatever the page it was sent from (decision B6 of the specification). */
export const replyTime = "24\u00a0h";
