import { checkState, phone, test, wide } from "./states/check-state.ts";
import { otherStates } from "./states/page-states.ts";

// Every page in all of its states but the first, which every-page.spec.ts checks.

for (const state of otherStates) test(state.name, ({ tab }) => checkState(tab, state, { light: wide, dark: phone }));
