import { replyTime } from "../catalogue/after-sale.ts";
import { button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useSite } from "../ui/site.ts";

/** How to ask what the page does not answer. */
export function SupportContact({ level: Heading = "h2" }: { level?: "h2" | "h3" }) {
	const site = useSite();
	if (!site) return null;
	const { phone, email, supportHours } = site.shop;
	return (
		<section aria-labelledby="contact">
			<Heading id="contact" className="text-lg">
				Une autre question&nbsp;?
			</Heading>
			<p className="mt-2 text-soft">
				Par e-mail, réponse sous {replyTime}. Par téléphone, {supportHours}.
			</p>
			<p className="mt-2 flex flex-wrap gap-x-4 max-sm:text-sm">
				<a href={`mailto:${email}`} className={button("quiet")}>
					<Icon name="mail" className="size-5 max-sm:hidden" />
					{email}
				</a>
				<a href={`tel:${phone.replace(/\s/g, "")}`} className={button("quiet", "figures")}>
					<Icon name="phone" className="size-5 max-sm:hidden" />
					{phone}
				</a>
			</p>
		</section>
	);
}
