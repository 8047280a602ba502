import { data } from "react-router";
import type { AccessKey } from "../orders/access.ts";
import { describeAccessRefusal } from "./access-refusals.ts";

/** Answers a request that who opened the order with this key may not make: 403 with the reason. */
export const refuseAccess = (key: AccessKey) => data({ refused: describeAccessRefusal(key) }, { status: 403 });
