/** Exports for other concepts. */

export { anonymiseCustomers, archiveCustomers, clearNewsletterConsents, deleteOrders } from "./erased-orders.store.server.ts";
export { countOrdersByState, isDue, isKept, readPromises } from "./order-figures.store.server.ts";
export {
	changeState,
	changeStates,
	findOrder,
	findOrderByKey,
	findOrderByReference,
	listEvents,
	listFirstOrdersOfCustomer,
	listOrdersOfPurchase,
	lockOrder,
	lockOrders,
	lockOrderWithPurchase,
	lockPurchase,
	type OrderEvent,
	recordEvent,
	updateOrder,
	updateTrackingNumber,
} from "./orders.store.server.ts";
export { findPurchases, isBoughtWithOthers } from "./purchases.store.server.ts";
