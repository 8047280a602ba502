import { test } from "../test.ts";
import { followPurchase } from "./follow-steps.ts";

test("four extracts arrive one by one, one line fails and is refunded, and the others are downloaded at once", ({ page }) =>
	followPurchase(page));
