/** A plain value that a parser has checked: `Branded<string, "Siren">`. The brand exists in the type only, not at run time. */
export type Branded<Value, Brand extends string> = Value & { readonly __brand: Brand };
