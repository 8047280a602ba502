import { checkState, otherWidths, phone, test, wide } from "./states/check-state.ts";
import { otherStates, pages } from "./states/page-states.ts";

// Every page in all of its states, on a phone and on a wide screen, but for what every-page.spec.ts has checked.

for (const state of pages) test(`${state.name}, on a phone`, ({ tab }) => checkState(tab, state, { screens: [phone], widths: [] }));

for (const state of otherStates) test(state.name, ({ tab }) => checkState(tab, state, { screens: [wide, phone], widths: otherWidths }));
