import type { Company } from "../../companies/company.ts";
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
	return company
		? Response.json(describeCompany(company), { headers })
		: Response.json({ error: unknownCompany }, { status: 404, headers });
}

/** The company with its days as dd/mm/yyyy or dd/mm, which callers of the API rely on. */
function describeCompany(company: Company): Company {
	const { creationDate, registrationDate, removalDate, financialYearEnd } = company;
	return {
		...company,
		creationDate: formatDay(creationDate),
		registrationDate: formatDay(registrationDate),
		removalDate: formatDay(removalDate),
		financialYearEnd: formatDay(financialYearEnd),
	};
}

/** 1955-03-01 → 01/03/1955, 12-31 → 31/12 */
const formatDay = (day: string | null) => day?.split("-").reverse().join("/") ?? null;
