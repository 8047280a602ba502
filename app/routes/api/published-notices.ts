import { findBulletinReading, listBulletinNotices } from "../../companies/bulletin/bulletin.server.ts";
import { bulletinSource } from "../../companies/bulletin/bulletin-source.ts";
import { type BulletinNotice, formatNotice, noticeFamilies } from "../../companies/bulletin/notice.ts";
import { canFollow } from "../../companies/company.ts";
import { unknownCompany } from "../../companies/company-notices.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import { parseSiren } from "../../companies/siren.ts";
import { shopContext } from "../../shop.ts";
import { apiError } from "../../web/http.ts";
import type { Route } from "./+types/published-notices.ts";

/** All notices of a company, the newest first. Days are yyyy-mm-dd. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const { readDb } = context.get(shopContext);
	const siren = parseSiren(params.siren);
	if (!siren) return apiError(404, unknownCompany);
	const [company, notices, reading] = await Promise.all([
		findCompany(readDb, siren),
		listBulletinNotices(readDb, siren),
		findBulletinReading(readDb),
	]);
	if (!company) return apiError(404, unknownCompany);
	// the empty list of a masked company or a sole trader says nothing about what was published
	const covered = canFollow(company) ? reading?.covered : null;
	return Response.json(
		{
			siren: company.siren,
			importedAt: reading?.importedAt ?? null,
			results: notices.map(describeNotice),
			source: { ...bulletinSource, coveredFrom: covered?.from ?? null, coveredTo: covered?.to ?? null },
		},
		{ headers: { "cache-control": "no-store" } },
	);
}

function describeNotice(notice: BulletinNotice) {
	const { id, publishedOn, family, kind, eventOn, court, correction, url } = notice;
	const label = noticeFamilies[family].name;
	return { id, publishedAt: publishedOn, family, label, kind, eventOn, court, summary: formatNotice(notice), correction, url };
}
