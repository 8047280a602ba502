import { test } from "../test.ts";
import { useCustomerSpace } from "./steps.ts";

test("a customer opens all their orders by a link, downloads, orders again, and leaves", ({ page, browser }) =>
	useCustomerSpace(page, browser));
