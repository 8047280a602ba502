import { expect, test } from "vitest";
import { readDeskForm } from "./read-desk-form.server.ts";

const send = (body: BodyInit) => readDeskForm(new Request("http://localhost/bureau", { method: "POST", body }));

test("a form of the desk is read without NUL, in either encoding; its files stay as they are", async () => {
	const typed = await send(new URLSearchParams([...[["a", "1\0"]], ["b", "\0"], ["b", "3 &"]]));
	expect([...typed]).toEqual([
		["a", "1"],
		["b", ""],
		["b", "3 &"],
	]);
	const sent = new FormData();
	sent.append("note", "un\0e ligne");
	sent.append("fichier", new File(["a\0b"], "extrait.pdf"));
	const form = await send(sent);
	expect(form.get("note")).toBe("une ligne");
	expect(await (form.get("fichier") as File).text()).toBe("a\0b");
});

test("another body has no fields", async () => {
	expect([...(await send("a=1"))]).toEqual([]);
});
