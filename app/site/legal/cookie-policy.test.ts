import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { browserStorage } from "#core/legal/browser-storage.ts";
import { terms } from "#core/terms.ts";
import { createTestCustomer, testPassword } from "#tests/factories/customer.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const cookies = new Set(
  browserStorage()
    .filter(({ place }) => place === "cookie")
    .map(({ name }) => name),
);

/** The names of the cookies that an answer sets, with how long each is kept in seconds; null: a session. */
function setCookies(answer: Response): Map<string, number | null> {
  return new Map(
    answer.headers.getSetCookie().map((cookie) => {
      const age = /max-age=(\d+)/i.exec(cookie)?.[1];
      return [cookie.split("=")[0] ?? "", age === undefined ? null : Number(age)];
    }),
  );
}

async function signIn(rememberMe: boolean) {
  const { email } = await createTestCustomer(product.db);
  const form = { email, password: testPassword, ...(rememberMe && { rememberMe: "on" }) };
  return setCookies(await product.request("/login", { form }));
}

test("signing in sets what the policy lists, for as long as it says", async () => {
  const remembered = await signIn(true);
  expect(remembered.get("assay.session_token")).toBe(terms.rememberedSessionDays * 86_400);
  const forgotten = await signIn(false);
  expect(forgotten.get("assay.session_token")).toBeNull();
  expect(forgotten.get("flash")).toBe(60);
  for (const name of [...remembered.keys(), ...forgotten.keys()])
    expect(cookies.has(name), `${name} is not in core/legal/browser-storage.ts`).toBe(true);
});

test.each(["/", "/about", "/services", "/contact", "/faq", "/terms", "/login", "/signup"])(
  "reading %s sets no cookie",
  async (page) => {
    expect(setCookies(await product.request(page)).size).toBe(0);
  },
);

/** The files that write to a browser's storage, with the names that they write: all must be in the policy. */
const writers: Record<string, string[]> = {
  "app/account/frame/sidebar-cookie.ts": ["sidebar"],
  "app/account/frame/total-amount.ts": ["totalAmount"],
  "app/account/proof/kept-proof.ts": ["assay-proof"],
  "app/site/frame/ticker-tape.tsx": ["assay-tape-paused"],
  "app/ui/theme/colour-scheme.ts": ["assay-colour-scheme"],
  "app/ui/toasts/flash.ts": ["flash"],
  "app/ui/market/overview-scheme.ts": ["assay-overview-scheme"],
  "core/text/embeds.ts": ["assay-embeds"],
};
const writing =
  /createCookie\(|samesite|document\.cookie\s*=(?! sidebarCookie)|Storage\.setItem\(|indexedDB|caches\.open/i;

test("whatever else the code keeps in a browser would have to be in the policy", () => {
  const listed = browserStorage().map(({ name }) => name);
  for (const [file, names] of Object.entries(writers)) {
    const source = readFileSync(file, "utf8");
    for (const name of names) {
      expect(source, file).toContain(`"${name}"`);
      expect(listed).toContain(name);
    }
  }
  const found = sourcesIn("app", "core").filter((file) => writing.test(readFileSync(file, "utf8")));
  expect(found.toSorted()).toEqual(Object.keys(writers).toSorted());
});

function sourcesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
      .map((name) => path.join(folder, name)),
  );
}
