/** A plain value that a parser has checked: `Branded<string, "Siren">`. Only the type knows the brand; nothing of it is there at run time. */
export type Branded<Value, Brand extends string> = Value & { readonly __brand: Brand };
