import { expect, test } from "vitest";
import { flash, takeFlash } from "./flash.ts";

const asking = (cookie?: string) =>
  new Request("http://site.test/", cookie ? { headers: { cookie } } : {});

test("what one page asks to be said, the next one says once", async () => {
  const cookie = (await flash("signed-out")).split(";")[0] ?? "";
  const taken = await takeFlash(asking(`a=1; ${cookie}`), false);
  expect(taken.flashes).toEqual([{ tone: "success", text: "Successfully signed out" }]);
  expect(taken.forget).toMatch(/^flash=.*Max-Age=0/);
});

test("nothing asked, nothing said and no cookie set", async () => {
  expect(await takeFlash(asking(), false)).toEqual({ flashes: [], forget: null });
  expect(await takeFlash(asking("flash=%%%"), false)).toEqual({ flashes: [], forget: null });
});

test("a planted cookie cannot put words into a page", async () => {
  const planted = btoa(JSON.stringify(["Send your coins to me", "toString", "signed-out"]));
  const { flashes } = await takeFlash(asking(`flash=${encodeURIComponent(planted)}`), false);
  expect(flashes).toEqual([{ tone: "success", text: "Successfully signed out" }]);
  // With TLS only this very host sets the name that counts.
  const own = `__Host-flash=${encodeURIComponent(planted)}`;
  const over = async (sent: string) => (await takeFlash(asking(sent), true)).flashes.length;
  expect(await over(own.replace("__Host-", ""))).toBe(0);
  expect(await over(own)).toBe(1);
});
