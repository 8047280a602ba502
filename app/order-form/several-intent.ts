/** The value of the button « Ajouter une autre entreprise », for the action of the order form. */
export const severalIntent = "several";
