export interface Accepted {
	file: string;
	/** The code as it stands. */
	was: string;
	/** What it may become; anything when left out. */
	became?: string;
	/** In how many places of the file it stands: one when left out. */
	places?: number;
	/** Why nobody could tell. */
	why: string;
}

/**
 * Mutants that change nothing that a customer, an operator or an accountant could see, or only on systems where the tests do not run.
 * A row that fits no place any more, or more than it says, is named.
 */
export const accepted: readonly Accepted[] = [
	{
		file: "app/registry/file-day.server.ts",
		was: "stat.mtime.toISOString().slice(0, 10)",
		became: "stat.mtime.toISOString()",
		why: "PostgreSQL takes the same day of it",
	},
	{
		file: "app/registry/sirene/duplicates.store.server.ts",
		was: "rowCount ?? 0",
		became: "rowCount",
		why: "for the types: a statement that deletes tells how many",
	},
	{
		file: "app/registry/sirene/sirene-rows.ts",
		was: 'cells[columns.siret] ?? ""',
		became: "cells[columns.siret]",
		why: "for the types: a row has a cell for each column",
	},
	{
		file: "app/registry/sirene/import.store.server.ts",
		was: `client.query("set client_connection_check_interval = '2s'").catch(() => {})`,
		why: "for systems that do not have the setting, where the tests do not run",
	},
	{
		file: "app/order-emails/refund-emails.ts",
		was: 'context.answer ?? ""',
		why: "for the types: it stands where there is an answer",
	},
	{
		file: "app/payments/stripe/stripe-provider.server.ts",
		was: "session.amount_total ?? 0",
		became: "session.amount_total",
		why: "for the types: a session that takes a payment has an amount",
	},
	{
		file: "app/payments/stripe/stripe-provider.server.ts",
		was: 'session.url ?? ""',
		became: "session.url",
		why: "for the types: an open session has an address",
	},
	{
		file: "server/database/embedded-postgres.ts",
		was: "initdb.error ?? initdb.stderr",
		became: "initdb.error",
		why: "seen only where initdb itself fails (a full disk, a missing library), which no test brings about",
	},
	{
		file: "app/web/route-patterns.ts",
		was: 'children.filter(({ path: routePath = "" }) => /^[*:]/.test(routePath) || routePath.split("/")[0] === first)',
		became: "children",
		why: "spares the framework's ranking of all routes: what it finds is the same",
	},
	{
		file: "server/database/read-database.ts",
		was: "replicaState.position ?? 0",
		became: "replicaState.position",
		why: "for the types: a standby that answers has replayed something",
	},
	{
		file: "app/web/sitemap-cache.ts",
		was: "bytes <= maxBytes",
		became: "bytes < maxBytes",
		why: "one byte of many million, more or less",
	},
	{
		file: "app/web/refusals.ts",
		was: 'ownOrigin.startsWith("https:")',
		became: 'ownOrigin.includes("https:")',
		why: "an origin has it at its beginning only",
	},
	{
		file: "server/heartbeat.ts",
		was: `"delete from job_processes where seen_at < now() - interval '1 minute'"`,
		became: `"delete from job_processes where seen_at <= now() - interval '1 minute'"`,
		why: "a microsecond more or less, long after the process stopped counting as alive",
	},
	{
		file: "app/retention/purge.server.ts",
		was: "ids.at(-1) ?? null",
		became: "ids.at(-1)",
		why: "for the types: where there is none, it ends",
	},
	{
		file: "app/order-emails/bounces/receive-bounce.server.ts",
		was: 'read.messageId.split("@")[0]?.toLowerCase() ?? ""',
		became: 'read.messageId.split("@")[0]?.toLowerCase()',
		why: "for the types: what is cut has a first part",
	},
	{
		file: "app/order-emails/refund-emails.ts",
		was: 'context.refund?.reason ?? "operator"',
		became: "context.refund?.reason",
		why: "for the types: it stands where there is a refund",
	},
	{
		file: "app/invoices/issue-invoice.server.ts",
		was: "corrected?.id ?? null",
		became: "corrected?.id",
		why: "for the types: a column that is not given is null",
	},
	{
		file: "app/invoices/factur-x.server.ts",
		was: "code ?? undefined",
		became: "code",
		why: "for the types: the library leaves out null as well",
	},
	{
		file: "app/invoices/factur-x.server.ts",
		was: "buyer.contact ?? undefined",
		became: "buyer.contact",
		why: "for the types: the library leaves out null as well",
	},
	{
		file: "app/registry/hidden-companies.store.server.ts",
		was: "!hidden",
		became: "false",
		why: "for the types: it was inserted, or was there",
	},
	{
		file: "app/documents/disk-storage.server.ts",
		was: 'process.platform === "win32"',
		became: "false",
		why: "Windows only, where the tests do not run",
	},
	{
		file: "app/documents/s3-storage.server.ts",
		was: "Body === undefined",
		became: "false",
		why: "only the SDK's types say that an answer may have no content",
	},
	{
		file: "app/documents/s3-storage.server.ts",
		was: "endpoint && { endpoint, forcePathStyle: true }",
		became: "{ endpoint, forcePathStyle: true }",
		why: "without an endpoint the bucket is at AWS, which no test asks and which takes both styles",
	},
	{
		file: "app/terminal/run-command.server.ts",
		was: 'parsed.args[0] ?? ""',
		why: "for the types: a command of an order without its order was refused above",
	},
	{
		file: "app/terminal/money-commands.server.ts",
		was: "current?.status ?? order.status",
		became: "current?.status",
		why: "only an order that is purged in the moment in which the provider is asked has no state any more",
	},
	{
		file: "server/database/embedded-postgres.ts",
		was: "rows[0].data_directory === data",
		became: "true",
		why: "as root, as in the tests, a data folder and its socket have one name: two servers never meet there",
	},
	{
		file: "server/database/read-database.ts",
		was: "at - known.at < maxLagMs",
		why: "older positions are let go to spare memory: what is proved by one of them is too old to count",
	},
	{
		file: "app/web/route-patterns.ts",
		was: "true",
		became: "false",
		why: "the router finds the page of « / » by its empty path as well",
	},
	{
		file: "app/web/web.ts",
		was: 'origin.startsWith("https:")',
		became: 'origin.includes("https:")',
		why: "an origin has its scheme in front, and nowhere else",
	},
	{
		file: "server/database/migrate.ts",
		was: `readdirSync(folder)
		.filter((name) => name.endsWith(".sql"))
		.sort()`,
		why: "libuv lists a folder in the order of names, which Node does not promise",
	},
	{
		file: "app/orders/customer-requests.store.server.ts",
		was: 'query.orderBy("created_at", "desc").limit(1)',
		why: "the first of many rows is read either way: the limit spares the database work",
	},
	{
		file: "app/fulfilment/invoice-order.server.ts",
		was: "refund.settled_at ?? now()",
		became: "refund.settled_at",
		why: "for the types: a refund that went through has its day",
	},
	{
		file: "app/payments/payments.store.server.ts",
		was: `trx
		.selectFrom("payment_attempts")
		.selectAll()
		.where("order_id", "=", purchaseId)
		.orderBy("attempt", "desc")
		.limit(1)`,
		why: "the first of many rows is read either way: the limit spares the database work",
	},
	{
		file: "app/payments/sandbox/sandbox-provider.server.ts",
		was: "row.payment_intent ?? row.id",
		became: "row.payment_intent",
		why: "for the types: a paid session has its payment",
	},
	{
		file: "app/terminal/run-command.server.ts",
		was: 'command?.usage ?? ""',
		why: "for the types: each name in the list is a command's",
	},
	{
		file: "app/terminal/columns.ts",
		was: "widths[column] ?? 0",
		why: "for the types: each column has its width",
	},
	{
		file: "app/order-form/draft.ts",
		was: 'text ?? "null"',
		why: "for the types: JSON.parse makes null of null",
	},
	{
		file: "server/database/migrate.ts",
		was: `sql<{ name: string }>\`select name from kysely_migration where name > \${newest}\``,
		became: `sql<{ name: string }>\`select name from kysely_migration where name >= \${newest}\``,
		why: "the newest of ours is recorded only once it is done, and is not run again",
	},
	{
		file: "server/client.ts",
		was: 'clientKey(socketIp ?? "") ?? ""',
		became: 'clientKey(socketIp ?? "")',
		why: "for the types: null as a text is no address of this machine",
	},
	{
		file: "server/environment/combined-settings.ts",
		was: 'v.STRIPE_SECRET_KEY ?? ""',
		became: "v.STRIPE_SECRET_KEY",
		why: "for the types: undefined as a text is no key",
	},
	{
		file: "app/purchase-form/check-lines.server.ts",
		was: 'entry.kind === "name" && byName.get(entry.name)',
		became: "byName.get(entry.name)",
		why: "for the types: no other entry has a name",
	},
	{
		file: "app/purchase-form/check-lines.server.ts",
		was: "names.length > 0",
		became: "names.length >= 0",
		why: "spares a list without names the turn: nothing is found for it either way",
	},
	{
		file: "app/purchase-form/check-lines.server.ts",
		was: "names.length > 0",
		became: "true",
		why: "spares a list without names the turn: nothing is found for it either way",
	},
	{
		file: "app/purchase-form/check-lines.server.ts",
		was: "sent[index]?.place ?? line.place",
		became: "sent[index]?.place",
		why: "for the types: each checked line was sent",
	},
	{
		file: "app/customer-space/read-query.ts",
		was: 'query.get("page") ?? ""',
		became: 'query.get("page")',
		why: "for the types: null as a text is no number",
	},
	{
		file: "app/customer-space/read-query.ts",
		was: 'query.get("annee") ?? ""',
		became: 'query.get("annee")',
		why: "for the types: null as a text is no year",
	},
	{
		file: "app/customer-space/own-order.server.ts",
		was: "number && findOrderByNumber(db, mailbox, number)",
		became: "findOrderByNumber(db, mailbox, number)",
		why: "for the types: no order has null as its number",
	},
	{
		file: "app/customer-space/describe-purchases.server.ts",
		was: "orders[0]?.created_at ?? context.now()",
		became: "orders[0]?.created_at",
		why: "for the types: a purchase has an order",
	},
	{
		file: "app/purchase-form/company-entry.ts",
		was: "siret && sirenOfSiret",
		why: "for the types: fourteen digits begin with nine",
	},
	{
		file: "app/purchase-form/list-file.ts",
		was: "counts[column] ?? 0",
		became: "counts[column]",
		why: "for the types: each column has its count",
	},
	{
		file: "app/purchase-form/typed-lines.ts",
		was: 'split[1] ?? ""',
		became: "split[1]",
		why: "for the types: what is split has a first part",
	},
	{
		file: "app/purchase-form/truncate-form.ts",
		was: 'headers.get("content-type") ?? ""',
		became: 'headers.get("content-type")',
		why: "for the types: null as a text is no type of a form",
	},
	{
		file: "app/order-emails/delivery-emails.ts",
		was: 'order.failure_reason ?? ""',
		became: "order.failure_reason",
		why: "for the types: no reason is called null",
	},
	{
		file: "app/order-emails/delivery-emails.ts",
		was: 'documentId ?? ""',
		why: "for the types: the link stands where there is a document",
	},
	{
		file: "app/order-emails/purchases/ready-emails.ts",
		was: 'purchase.filesUrl ?? ""',
		why: "for the types: the link stands where there are files",
	},
	{
		file: "app/order-emails/purchases/ready-emails.ts",
		was: 'filesUrl ?? ""',
		why: "for the types: the link stands where there are files",
	},
	{
		file: "app/order-emails/purchases/contract-parts.ts",
		was: 'order.consent_text_version ?? ""',
		why: "for the types: a consent has the version of its text",
	},
	{
		file: "app/order-emails/purchases/purchase-parts.ts",
		was: "found.orders[0]?.order_number ?? order.order_number",
		why: "for the types: a purchase has an order",
	},
	{
		file: "app/order-emails/queue-notice-emails.server.ts",
		was: "ids.at(-1)",
		became: "ids.at(0)",
		why: "reads orders of a page again, for which nothing is queued twice",
	},
	{
		file: "app/order-emails/order-email-context.server.ts",
		was: "(await listRefunds(db, order.id)).find((refund) => isHeld(refund, now))?.held_until ?? null",
		became: "(await listRefunds(db, order.id)).find((refund) => isHeld(refund, now))?.held_until",
		why: "for the types: an e-mail asks only whether there is one",
	},
	{
		file: "app/order-emails/order-email-context.server.ts",
		was: "creditNote?.document_id",
		became: "true",
		why: "for the types: an invoice in another's place has that one's credit note, and no document has null as its id",
	},
	{
		file: "app/customer-space/invoices-file.server.ts",
		was: "id && (await findDocument(context.db, id))",
		became: "(await findDocument(context.db, id))",
		why: "for the types: no document has null as its id",
	},
	{
		file: "app/desk/money/money.store.server.ts",
		was: 'db.selectFrom("reconciliations").selectAll().orderBy("created_at", "desc").limit(1)',
		why: "the first of many rows is read either way: the limit spares the database work",
	},
	{
		file: "app/desk/accounts/send-month-file.server.ts",
		was: 'name.endsWith(".json")',
		became: 'name.includes(".json")',
		why: "the name of a month's file has its ending at its end only",
	},
	{
		file: "app/desk/accounts/send-month-file.server.ts",
		was: 'name.endsWith(".csv")',
		became: 'name.includes(".csv")',
		why: "the name of a month's file has its ending at its end only",
	},
	{
		file: "app/desk/post/answer-post.server.ts",
		was: 'name.startsWith("suivi-")',
		became: 'name.includes("suivi-")',
		why: "what has it elsewhere names no order",
	},
	{
		file: "app/desk/shell/signed-in.server.ts",
		was: `path.startsWith(\`\${page.path}/\`)`,
		became: `path.includes(\`\${page.path}/\`)`,
		why: "no address of the desk has another one's path inside",
	},
	{
		file: "app/desk/money/dispute-evidence.server.ts",
		was: "await setImmediate()",
		why: "lets other requests in between two PDFs: the archive is the same",
	},
	{
		file: "app/desk/order/serving-acts.server.ts",
		was: "(await check?.(claimed.call, input)) ?? null",
		became: "(await check?.(claimed.call, input))",
		why: "for the types: defineAct makes null of it",
	},
	{
		file: "app/desk/order/serving-acts.server.ts",
		was: 'call.actor.id ?? ""',
		became: "call.actor.id",
		why: "for the types: who acts at the desk has an account",
	},
	{
		file: "app/desk/messages/messages-acts.server.ts",
		was: 'id ?? ""',
		became: "id",
		why: "for the types: who acts at the desk has an account",
	},
	{
		file: "app/desk/messages/messages-acts.server.ts",
		was: 'fields.read ?? ""',
		became: "fields.read",
		why: "for the types: undefined is no date either",
	},
	{
		file: "app/desk/health/describe-health.server.ts",
		was: "queue?.minutes ?? 0",
		became: "queue?.minutes",
		why: "for the types: undefined minutes are not ten either",
	},
	{
		file: "app/desk/search/search.store.server.ts",
		was: "rows[0]?.tokens ?? []",
		became: "rows[0]?.tokens",
		why: "for the types: a query without a table gives a row",
	},
	{
		file: "app/desk/queue/queue.store.server.ts",
		was: "rows[0] ?? { toServe: 0, express: 0, standard: 0, postal: 0, late: 0, by: [], toPost: 0, waiting: 0 }",
		became: "rows[0]",
		why: "for the types: counts without groups give a row",
	},
	{
		file: "app/desk/queue/read-queue.server.ts",
		was: 'params.get("liste") ?? ""',
		became: 'params.get("liste")',
		why: "for the types: null names no list",
	},
	{
		file: "app/desk/queue/read-queue.server.ts",
		was: 'row.operator_name ?? ""',
		became: "row.operator_name",
		why: "for the types: who has an order has a name",
	},
	{
		file: "app/desk/queue/read-queue.server.ts",
		was: "counts.by[index] ?? 0",
		became: "counts.by[index]",
		why: "for the types: each checkpoint has its count",
	},
	{
		file: "app/desk/search/search-orders.server.ts",
		was: "named[0] ?? null",
		became: "named[0]",
		why: "for the types: a list of one has a first",
	},
	{
		file: "app/desk/acts/perform-act.server.ts",
		was: "order?.id ?? null",
		became: "order?.id",
		why: "for the types: a column that is not given is null",
	},
	{
		file: "app/desk/acts/perform-act.server.ts",
		was: 'known.sentence ?? ""',
		became: "known.sentence",
		why: "for the types: an act that has ended has its sentence",
	},
	{
		file: "app/desk/acts/perform-act.server.ts",
		was: "order?.order_number ?? null",
		became: "order?.order_number",
		why: "for the types: a column that is not given is null",
	},
	{
		file: "app/desk/money/refund-acts.server.ts",
		was: 'fields.refund ?? ""',
		became: "fields.refund",
		places: 2,
		why: "for the types: undefined as a text is no id",
	},
	{
		file: "app/desk/money/refund-acts.server.ts",
		was: 'fields.left ?? ""',
		became: "fields.left",
		why: "for the types: undefined as a text is no number",
	},
	{
		file: "app/desk/money/answer-money-form.server.ts",
		was: 'form.get("key") ?? ""',
		became: 'form.get("key")',
		why: "for the types: null as a text is no key",
	},
	{
		file: "app/desk/money/money.store.server.ts",
		was: "orderId ?? []",
		became: "orderId",
		why: "for the types: no order has null as its id",
	},
	{
		file: "app/desk/post/answer-post.server.ts",
		was: 'form.get("key") ?? ""',
		became: 'form.get("key")',
		why: "for the types: null as a text is no key",
	},
	{
		file: "app/desk/post/send-letters.server.ts",
		was: 'form.get("orders") ?? ""',
		became: 'form.get("orders")',
		why: "for the types: null as a text is no id",
	},
	{
		file: "app/desk/alerts/change-alerts.server.ts",
		was: 'form.get("do") ?? ""',
		became: 'form.get("do")',
		why: "for the types: null as a text asks for nothing",
	},
	{
		file: "app/desk/alerts/change-alerts.server.ts",
		was: 'form.get("device") ?? ""',
		became: 'form.get("device")',
		why: "for the types: null as a text is no device",
	},
	{
		file: "app/desk/order/read-order.server.ts",
		was: 'name ?? ""',
		became: "name",
		why: "for the types: those without a name are left out",
	},
	{
		file: "app/desk/shell/signed-in.server.ts",
		was: "page.roles ?? []",
		became: "page.roles",
		why: "for the types: a page without roles is open to all",
	},
	{
		file: "app/desk/trail/list-trail.server.ts",
		was: 'query.get("avant") ?? ""',
		became: 'query.get("avant")',
		why: "for the types: null as a text is no number",
	},
	{
		file: "app/desk/order/deliver-all.server.ts",
		was: 'keys.get(id) ?? ""',
		became: "keys.get(id)",
		why: "for the types: undefined as a text is no key",
	},
	{
		file: "app/desk/messages/list-bounces.server.ts",
		was: '(reader === "delivery" ? delivery_email : customer_email) ?? ""',
		became: '(reader === "delivery" ? delivery_email : customer_email)',
		why: "for the types: what a second address refused went to one",
	},
	{
		file: "app/desk/order/describe-file.ts",
		was: "describeEvent(event_type, payload) ?? event_type",
		became: "describeEvent(event_type, payload)",
		why: "for the types: events without a sentence are hidden",
	},
	{
		file: "app/desk/order/describe-file.ts",
		was: "ended.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0]?.who ?? null",
		became: "ended.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0]?.who",
		why: "for the types: details that are undefined are left out too",
	},
	{
		file: "app/tracking/confirmation/describe-confirmation.server.ts",
		was: '(access === "full" && described.documents.find((document) => document.doc_type === "invoice")?.url) || null',
		became: '(access === "full" && described.documents.find((document) => document.doc_type === "invoice")?.url)',
		why: "for the types: without an invoice nothing is linked either way",
	},
	{
		file: "app/orders/orders.store.server.ts",
		was: 'db.selectFrom("orders").select("id").where("purchase_id", "=", purchase_id).where("id", "<>", id).limit(1)',
		why: "the first of many rows is read either way: the limit spares the database work",
	},
	{
		file: "app/orders/orders.store.server.ts",
		was: "others.sort(byLine)",
		why: "PostgreSQL returns rows in the order in which they were inserted, which it does not promise",
	},
	{
		file: "app/orders/purchase-lines.store.server.ts",
		was: "purchaseIds.length === 0",
		became: "false",
		why: "spares a query: it finds nothing for no purchase",
	},
	{
		file: "app/orders/place-purchase.server.ts",
		was: "!taken.ok && key !== null",
		became: "key !== null",
		why: "spares a query where the limits have room: only a refused request asks whether it is a repetition",
	},
	{
		file: "app/customer-space/customer-books.ts",
		was: 'first?.description ?? ""',
		became: "first?.description",
		why: "for the types: an invoice has a line",
	},
	{
		file: "app/company-alerts/alerts.store.server.ts",
		was: "confirmation_sent_at === null || confirmation_sent_at < requested_at",
		became: "confirmation_sent_at < requested_at",
		why: "for the types: null is before each day",
	},
	{
		file: "app/company-alerts/alerts.store.server.ts",
		was: 'trx.selectFrom("company_followers").select("id").where(isEmpty)',
		became: 'trx.selectFrom("company_followers").select("id")',
		why: "spares the locks of mailboxes that have alerts, which the second statement leaves",
	},
	{
		file: "app/company-alerts/alerts.store.server.ts",
		was: `trx.deleteFrom("company_followers").where("id", "=", sql<string>\`any(\${ids}::uuid[])\`).where(isEmpty)`,
		became: `trx.deleteFrom("company_followers").where("id", "=", sql<string>\`any(\${ids}::uuid[])\`)`,
		why: "only a request that is recorded in the moment between the two statements",
	},
	{
		file: "app/company-alerts/alerts.store.server.ts",
		was: `db
		.selectFrom("company_alerts")
		.leftJoin("companies", (join) => join.onRef("companies.siren", "=", "company_alerts.siren").on("masked", "=", false))
		.select(["company_alerts.id", "company_alerts.siren", "companies.name", "frequency", "topics"])
		.where("follower_id", "=", followerId)
		.where("confirmed_at", "is not", null)
		.where("ended_at", "is", null)
		.orderBy("companies.name")
		.orderBy("company_alerts.siren")`,
		became: `db
		.selectFrom("company_alerts")
		.leftJoin("companies", (join) => join.onRef("companies.siren", "=", "company_alerts.siren").on("masked", "=", false))
		.select(["company_alerts.id", "company_alerts.siren", "companies.name", "frequency", "topics"])
		.where("follower_id", "=", followerId)
		.where("confirmed_at", "is not", null)
		.where("ended_at", "is", null)
		.orderBy("companies.name")`,
		why: "PostgreSQL reads the alerts of a mailbox in the order of their index, which it does not promise",
	},
	{
		file: "app/company-alerts/alert-mails.store.server.ts",
		was: 'query.orderBy("follower_id")',
		why: "PostgreSQL finds distinct ids in their order, which it does not promise",
	},
	{
		file: "app/company-alerts/queue-alerts.server.ts",
		was: "told !== null && reading.importedAt <= told",
		became: "reading.importedAt <= told",
		why: "for the types: no day is before null",
	},
	{
		file: "app/company-alerts/queue-alerts.server.ts",
		was: "followerIds.length > 0",
		became: "followerIds.length >= 0",
		why: "spares an empty page its transaction",
	},
	{
		file: "app/company-alerts/queue-alerts.server.ts",
		was: "followerIds.at(-1) ?? null",
		became: "followerIds.at(-1)",
		why: "for the types: a full page has a last mailbox",
	},
	{
		file: "app/company-alerts/queue-alerts.server.ts",
		was: "followerIds.at(-1)",
		became: "followerIds.at(0)",
		why: "reads mailboxes of a page again, which are told nothing twice",
	},
	{
		file: "app/company-alerts/deliver-alert-mail.server.ts",
		was: "(await findBulletinReading(db))?.importedAt ?? now()",
		became: "(await findBulletinReading(db))?.importedAt",
		why: "for the types: news were read",
	},
	{
		file: "app/order-emails/alert-operator.server.ts",
		was: "details.refund ?? null",
		why: "for the types: a column that is not given is null",
	},
	{
		file: "app/order-emails/alert-operator.server.ts",
		was: "details.document ?? null",
		why: "for the types: a column that is not given is null",
	},
	{
		file: "app/order-emails/bounces/correct-bounced.server.ts",
		was: "mail.document_id === null || !(await findCurrentDocument(trx, mail.document_id))?.purged_at",
		became: "!(await findCurrentDocument(trx, mail.document_id))?.purged_at",
		why: "for the types: no document has null as its id",
	},
	{
		file: "app/order-emails/bounces/receive-bounce.server.ts",
		was: "returned === null || order === null",
		became: "returned === null",
		why: "for the types: an e-mail has its order",
	},
	{
		file: "app/order-emails/bounces/receive-bounce.server.ts",
		was: "returned === null || order === null",
		became: "order === null",
		why: "for the types: nothing returned has no order either",
	},
	{
		file: "app/order-emails/find-readable-document.server.ts",
		was: "document === null || order === null",
		why: "for the types: a document has its order",
	},
	{
		file: "app/order-emails/order-email-context.server.ts",
		was: "mail.refund_id === null",
		became: "false",
		why: "for the types: no refund has null as its id",
	},
	{
		file: "app/order-emails/order-email-context.server.ts",
		was: "!invoice || !replaced",
		became: "!replaced",
		why: "for the types: what is replaced is in an invoice",
	},
	{
		file: "app/order-emails/purchases/purchase-context.server.ts",
		was: "first === undefined || orders.length < 2",
		became: "orders.length < 2",
		why: "for the types: two orders have a first one",
	},
	{
		file: "app/order-emails/purchases/purchase-context.server.ts",
		was: "latest === null || heldUntil > latest",
		became: "heldUntil > latest",
		why: "for the types: each day is after null",
	},
	{
		file: "app/order-emails/purchases/purchase-context.server.ts",
		was: "heldUntil > latest",
		became: "heldUntil >= latest",
		why: "the same instant either way",
	},
	{
		file: "app/order-emails/purchases/queue-purchase-emails.server.ts",
		was: "first === undefined || purchase.length === 1",
		became: "purchase.length === 1",
		why: "for the types: without an order, all are cancelled",
	},
	{
		file: "app/order-emails/queue-notice-emails.server.ts",
		was: "{ after, limit: pageSize }",
		became: "{ after }",
		why: "spares memory: without pages, all orders are read at once",
	},
	{
		file: "app/order-emails/queue-notice-emails.server.ts",
		was: 'bounce_reason ?? ""',
		why: "for the types: null as a text has no code either",
	},
	{
		file: "app/order-emails/resend-email.server.ts",
		was: "!order || toResend.length === 0",
		became: "toResend.length === 0",
		why: "for the types: without the order there is nothing to send",
	},
	{
		file: "app/order-emails/resend-email.server.ts",
		was: "document_id && (await findCurrentDocument(trx, document_id))?.purged_at",
		became: "(await findCurrentDocument(trx, document_id))?.purged_at",
		why: "for the types: no document has null as its id",
	},
	{
		file: "app/order-emails/resend-email.server.ts",
		was: "by && { by }",
		became: "{ by }",
		why: "what is undefined is not stored",
	},
	{
		file: "app/refunds/refund-by-operator.server.ts",
		was: "{ granted: true, answer: null, now: context.now() }",
		became: "{ granted: true, now: context.now() }",
		why: "for the types: an open request has no answer yet",
	},
	{
		file: "app/refunds/refund-figures.store.server.ts",
		was: "rows[0] ?? { count: 0, cents: 0 }",
		why: "for the types: a count has one row",
	},
	{
		file: "app/refunds/refund-figures.store.server.ts",
		was: "rows[0]?.sum ?? 0",
		why: "for the types: a sum has one row",
	},
	{
		file: "app/refunds/refund-motive.ts",
		was: "cause !== null && isKeyOf(motivesOfCauses, cause)",
		became: "isKeyOf(motivesOfCauses, cause)",
		why: "for the types: no cause is called null",
	},
	{
		file: "app/refunds/refund-notes.store.server.ts",
		was: 'trx.updateTable("refunds").set({ note: null }).where("order_id", "=", anyOf(orderIds)).where("note", "is not", null)',
		became: 'trx.updateTable("refunds").set({ note: null }).where("order_id", "=", anyOf(orderIds))',
		why: "spares the rows that have no note",
	},
	{
		file: "app/refunds/refunds.store.server.ts",
		was: "refund.heldUntil ?? null",
		why: "for the types: a column that is not given is null",
	},
	{
		file: "app/refunds/refunds.store.server.ts",
		was: 'status === "requested" && held_until !== null',
		became: 'status === "requested"',
		why: "for the types: null is after no instant",
	},
	{
		file: "app/refunds/refunds.store.server.ts",
		was: 'orderId ?? ""',
		why: "for the types: the condition stands where there is an order",
	},
	{
		file: "app/refunds/refunds.store.server.ts",
		was: 'paymentId ?? ""',
		why: "for the types: the condition stands where there is a payment",
	},
	{
		file: "app/refunds/request-late-refund.server.ts",
		was: "refundBrake.refunds === null && refundBrake.cents === null",
		became: "false",
		why: "spares the lock and the sums: without a brake, nothing is above it",
	},
	{
		file: "app/refunds/request-refund.server.ts",
		was: "amount !== undefined && amount > left",
		became: "amount > left",
		why: "for the types: undefined is more than no number",
	},
	{
		file: "app/statistics/read-statistics.server.ts",
		was: 'probeDays[0]?.day ?? ""',
		became: "probeDays[0]?.day",
		why: "for the types: probes are stored for many days",
	},
	{
		file: "app/statistics/statistics.store.server.ts",
		was: "[null, null]",
		why: "a service without a delivery has too few for any time to be published",
	},
	{
		file: "app/statistics/statistics.ts",
		was: 'typeof all.delivered !== "number" || all.share === null',
		became: "all.share === null",
		why: "for the types: a share is published only with its count",
	},
	{
		file: "app/bulletin/commands.server.ts",
		was: "from && to",
		why: "for the types: a day that cannot be read is before and after none",
	},
	{
		file: "app/bulletin/commands.server.ts",
		was: "reasons[reason] ?? reason",
		became: "reasons[reason]",
		why: "for the types: each reason has its text",
	},
	{
		file: "app/bulletin/notices-before-payment.server.ts",
		was: "rows[0]?.imported_at ?? null",
		became: "rows[0]?.imported_at",
		why: "for the types: both stand for no reading",
	},
	{
		file: "app/bulletin/notices-before-payment.server.ts",
		was: "sirens.length > 0",
		became: "sirens.length >= 0",
		why: "spares a form without companies the query: nothing is found for it either way",
	},
	{
		file: "app/bulletin/notices-before-payment.server.ts",
		was: "sirens.length > 0",
		became: "true",
		why: "spares a form without companies the query: nothing is found for it either way",
	},
	{
		file: "app/bulletin/import/bulletin-api.server.ts",
		was: 'response.headers.get("content-type") ?? ""',
		became: 'response.headers.get("content-type")',
		why: "for the types: null as a text is no type of content",
	},
	{
		file: "app/bulletin/import/bulletin-api.server.ts",
		was: "response.body ?? []",
		became: "response.body",
		why: "for the types: an answer that fetch received has a body",
	},
	{
		file: "app/bulletin/import/bulletin-api.server.ts",
		was: "waitMs !== null && waitMs > maxWaitMs",
		became: "waitMs > maxWaitMs",
		why: "for the types: null is not longer than any wait",
	},
	{
		file: "app/bulletin/import/bulletin-api.server.ts",
		was: "seconds > 1e9",
		became: "seconds >= 1e9",
		why: "an instant of the year 2001, or a wait of thirty years",
	},
	{
		file: "app/bulletin/import/bulletin-api.server.ts",
		was: "1e9",
		became: "1e9 + 1",
		why: "an instant of the year 2001, or a wait of thirty years",
	},
	{
		file: "app/bulletin/import/court-name.ts",
		was: "pattern.exec(folded)?.[0].length ?? 0",
		became: "pattern.exec(folded)?.[0].length",
		why: "for the types: the pattern was found",
	},
	{
		file: "app/bulletin/import/court-name.ts",
		was: "/^(d'|de la |de l'|des |du |de |à )?\\s*(.*)$/i.exec(rest) ?? []",
		became: "/^(d'|de la |de l'|des |du |de |à )?\\s*(.*)$/i.exec(rest)",
		why: "for the types: the pattern fits any line",
	},
	{
		file: "app/bulletin/import/coverage.ts",
		was: "added.from < known.from",
		became: "added.from <= known.from",
		why: "the same day either way",
	},
	{
		file: "app/bulletin/import/coverage.ts",
		was: "added.to > known.to",
		became: "added.to >= known.to",
		why: "the same day either way",
	},
	{
		file: "app/bulletin/import/export-records.server.ts",
		was: "{ highWaterMark: blockSize }",
		why: "how much is read at once is seen in time and memory only",
	},
	{
		file: "app/bulletin/import/export-records.server.ts",
		was: "{ chunkSize: blockSize }",
		why: "how much is read at once is seen in time and memory only",
	},
	{
		file: "app/bulletin/import/export-records.server.ts",
		was: "{ highWaterMark: 2 }",
		why: "how much is read at once is seen in time and memory only",
	},
	{
		file: "app/bulletin/import/import-notices.server.ts",
		was: "await analyzeNotices(client)",
		why: "statistics for the planner: seen in time only",
	},
	{
		file: "app/bulletin/import/import.store.server.ts",
		was: `client.query("set client_connection_check_interval = '2s'").catch(() => {})`,
		why: "for systems that do not have the setting, where the tests do not run",
	},
	{
		file: "app/bulletin/import/import.store.server.ts",
		was: `await client.query(\`analyze \${notices}; analyze \${corrections}\`)`,
		why: "statistics for the planner: seen in time only",
	},
	{
		file: "app/bulletin/import/import.store.server.ts",
		was: 'await client.query("analyze bulletin_notices, bulletin_corrections, bulletin_texts")',
		why: "statistics for the planner: seen in time only",
	},
	{
		file: "app/bulletin/import/import.store.server.ts",
		was: "rows[0]?.added ?? 0",
		became: "rows[0]?.added",
		why: "for the types: a count is always answered",
	},
	{
		file: "app/bulletin/import/import.store.server.ts",
		was: "rows[0]?.changed ?? 0",
		became: "rows[0]?.changed",
		why: "for the types: a count is always answered",
	},
	{
		file: "app/bulletin/import/import.store.server.ts",
		was: "removed ?? 0",
		became: "removed",
		why: "for the types: a statement that deletes tells how many",
	},
	{
		file: "app/bulletin/import/notice-days.ts",
		was: 'words[2] ?? ""',
		became: "words[2]",
		why: "for the types: the pattern has a second group",
	},
	{
		file: "app/bulletin/import/parse-notice.ts",
		was: 'readText(record, "id")?.trim() ?? ""',
		became: 'readText(record, "id")?.trim()',
		why: "for the types: undefined as a text is no id",
	},
	{
		file: "app/bulletin/import/parse-notice.ts",
		was: 'readText(previous, "numeroParution")?.trim() ?? ""',
		became: 'readText(previous, "numeroParution")?.trim()',
		why: "for the types: undefined as a text is no number",
	},
	{
		file: "app/bulletin/import/parse-notice.ts",
		was: 'readText(previous, "numeroAnnonce")?.trim() ?? ""',
		became: 'readText(previous, "numeroAnnonce")?.trim()',
		why: "for the types: undefined as a text is no number",
	},
	{
		file: "app/bulletin/import/split-csv.server.ts",
		was: "cells?.length ?? 0",
		became: "cells?.length",
		why: "for the types: a file whose first row cannot be read is refused",
	},
	{
		file: "app/bulletin/import/split-csv.server.ts",
		was: "rows[0] ?? null",
		became: "rows[0]",
		why: "for the types: there is one row",
	},
	{
		file: "app/bulletin/import/stage-notices.server.ts",
		was: 'fault ?? ""',
		became: "fault",
		why: "for the types: a record without a value has a fault",
	},
	{
		file: "app/documents/documents.store.server.ts",
		was: "ids.length === 0",
		became: "false",
		why: "spares the query: it finds nothing for no ids",
	},
	{
		file: "app/documents/disk-storage.server.ts",
		was: "prefix.startsWith(path)",
		became: "prefix.includes(path)",
		why: "reads another folder, of which no path has the prefix",
	},
	{
		file: "app/documents/s3-storage.server.ts",
		was: "Key && LastModified",
		why: "only the SDK's types say that an object may lack its name or its time",
	},
	{
		file: "app/documents/s3-storage.server.ts",
		was: "!IsTruncated || last === undefined",
		became: "!IsTruncated",
		why: "only the SDK's types say that a page which others follow may be empty",
	},
	{
		file: "app/documents/documents.store.server.ts",
		was: 'query.where("replaced_because", "is not", null)',
		became: "query",
		why: "spares writing rows that have no reason: they stay as they are",
	},
	{
		file: "app/documents/file-name.ts",
		was: 'ligatures[letter] ?? ""',
		became: "ligatures[letter]",
		why: "for the types: each letter that is replaced has its two",
	},
	{
		file: "app/invoices/issue-invoice.server.ts",
		was: "refundId ?? null",
		became: "refundId",
		why: "for the types: a column that is not given is null",
	},
	{
		file: "app/invoices/issue-invoice.server.ts",
		was: "replaced?.id ?? null",
		became: "replaced?.id",
		why: "for the types: a column that is not given is null",
	},
	{
		file: "app/invoices/issued-numbers.server.ts",
		was: 'formatInvoiceNumber(last).split("-")[0] ?? ""',
		became: 'formatInvoiceNumber(last).split("-")[0]',
		why: "for the types: what is split has a first part",
	},
	{
		file: "app/invoices/factur-x.server.ts",
		was: "lineNets[index] ?? 0",
		became: "lineNets[index]",
		why: "for the types: each line has its amount",
	},
	{
		file: "app/invoices/factur-x.server.ts",
		was: "describeLine(line) ?? undefined",
		became: "describeLine(line)",
		why: "for the types: the library leaves out null as well",
	},
	{
		file: "app/invoices/invoice-table.server.ts",
		was: "lineNets[index] ?? cents(0)",
		became: "lineNets[index]",
		why: "for the types: each line has its amount",
	},
	{
		file: "app/invoices/invoice-table.server.ts",
		was: "columns[index] ?? columns[0]",
		became: "columns[index]",
		why: "for the types: each cell has its column",
	},
	{
		file: "app/invoices/invoice-table.server.ts",
		was: "end + height + (isLast ? below : 0) > sheet.bottom",
		became: "end + height + (isLast ? below : 0) >= sheet.bottom",
		why: "a line that ends exactly at the margin",
	},
	{
		file: "app/invoices/invoice-mentions.ts",
		was: "lines.some(({ orderNumber }) => orderNumber !== undefined)",
		became: "lines.every(({ orderNumber }) => orderNumber !== undefined)",
		why: "all lines of a document name their order, or none does",
	},
	{
		file: "app/bulletin/import/split-list.server.ts",
		was: "length <= maxRecordBytes",
		became: "length < maxRecordBytes",
		why: "a byte more follows, with which the record is too long",
	},
	{
		file: "app/statistics/statistics-file.ts",
		was: '{ separator: ",", byteOrderMark: false }',
		became: "{ byteOrderMark: false }",
		why: "for the types: an array is joined with commas anyway, and no cell has one",
	},
];
