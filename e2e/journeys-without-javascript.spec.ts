import { followCompany } from "./alert-steps.ts";
import { useCustomerSpace } from "./customer-space/steps.ts";
import { followPurchase } from "./purchases/follow-steps.ts";
import { shareAndTakeBack } from "./sharing/share-steps.ts";
import { test } from "./test.ts";

// The journeys of the first tier that are walked once more without JavaScript.

test.use({ javaScriptEnabled: false });

test("a customer opens all their orders by a link, downloads, orders again, and leaves", ({ page, browser }) =>
	useCustomerSpace(page, browser, { javaScriptEnabled: false }));

test("a visitor follows a company, is told of a notice, and ends the alert, all by e-mail", ({ page }) => followCompany(page, "775688732"));

test("four extracts arrive one by one, one line fails and is refunded, and the others are downloaded at once", ({ page }) =>
	followPurchase(page, { javaScriptEnabled: false }));

test("a customer shares an extract with a passcode, somebody else downloads it, and the customer takes the link back", ({
	browser,
	page,
}) => shareAndTakeBack(browser, page, { javaScriptEnabled: false }));
