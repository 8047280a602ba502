/** Exports for other concepts. */

export { getHolder } from "./claim-conversation.server.ts";
export {
	deleteConversationsByEmail,
	deleteConversationsOfOrders,
	deleteOldConversations,
	type ListedConversation,
	listAnswered,
	listConversationsByEmail,
	listWaiting,
} from "./conversations.store.server.ts";
export { findThread, listThread, type Thread, type ThreadMessage } from "./thread.server.ts";
