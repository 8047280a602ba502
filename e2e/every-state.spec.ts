import { checkState, phone, wide } from "./states/check-state.ts";
import { otherStates } from "./states/page-states.ts";
import { test } from "./test.ts";

// Every page in all of its states but the first, which every-page.spec.ts checks.

for (const state of otherStates) test(state.name, ({ page }) => checkState(page, state, { light: wide, dark: phone }));
