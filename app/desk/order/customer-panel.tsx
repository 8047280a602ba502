import { DescriptionList } from "../../ui/description-list.tsx";
import type { OrderView } from "./read-order.server.ts";

/** Who ordered, where the document goes, and the dates of the order. */
export function CustomerPanel({ customer, facts }: Pick<OrderView, "customer" | "facts">) {
	return (
		<section aria-labelledby="client">
			<h2 id="client" className="text-lg">
				Client
			</h2>
			{customer === null ? (
				<p className="mt-2 text-soft">Les données de ce client ont été effacées.</p>
			) : (
				<DescriptionList
					className="mt-2 text-sm"
					rows={[
						["Nom", customer.name],
						[
							"E-mail",
							<span key="email" className="break-words">
								{customer.email}
							</span>,
						],
						["Destinataire", customer.recipient],
						["Téléphone", customer.phone],
						["Société facturée", customer.billed],
						["Adresse facturée", customer.address],
						[
							"À poster à",
							customer.letter?.map((line) => (
								<span key={line} className="block">
									{line}
								</span>
							)),
						],
						...facts,
					]}
				/>
			)}
		</section>
	);
}
