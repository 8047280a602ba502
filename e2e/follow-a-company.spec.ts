import { followCompany } from "./alert-steps.ts";
import { test } from "./test.ts";

test("a visitor follows a company, is told of a notice, and ends the alert, all by e-mail", ({ page }) => followCompany(page, "356000000"));
