/** The form « Annuler la commande » on the page of an order. */
export const cancelAnchor = "annuler";
