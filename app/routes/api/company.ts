import { unknownCompany } from "../../companies/company-notices.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import { parseSiren } from "../../companies/siren.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/company.ts";

const headers = { "cache-control": "no-store" };

export async function loader({ params, context }: Route.LoaderArgs) {
	const { readDb } = context.get(shopContext);
	const siren = parseSiren(params.siren);
	const company = siren && (await findCompany(readDb, siren));
	return company ? Response.json(company, { headers }) : Response.json({ error: unknownCompany }, { status: 404, headers });
}
