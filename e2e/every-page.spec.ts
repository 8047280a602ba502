import { checkState, otherWidths, phone, test, wide } from "./states/check-state.ts";
import { pages } from "./states/page-states.ts";

// Every page once, in the first of its states. every-state.spec.ts checks the other states, and all of them on a phone.

for (const state of pages) test(state.name, ({ tab }) => checkState(tab, state, { screens: [wide], widths: [phone, ...otherWidths] }));
