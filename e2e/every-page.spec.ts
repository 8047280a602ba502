import { checkState, phone, wide } from "./states/check-state.ts";
import { pages } from "./states/page-states.ts";
import { test } from "./test.ts";

// Every page once, in the first of its states. every-state.spec.ts checks the other states.

for (const state of pages) test(state.name, ({ page }) => checkState(page, state, { light: phone, dark: wide }));
