import { checkState, phone, test, wide } from "./states/check-state.ts";
import { pages } from "./states/page-states.ts";

// Every page once, in the first of its states. every-state.spec.ts checks the other states.

for (const state of pages) test(state.name, ({ tab }) => checkState(tab, state, { light: phone, dark: wide }));
