import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureProxies } from "../../scripts/programs/get-proxies.ts";
import { freePort } from "../setup/free-port.ts";
import { type RunningProduct, runProduct } from "../setup/run-product.ts";
import { testTimeoutMs } from "../setup/slowness.ts";
import {
  addAuthenticator,
  declareDeposit,
  expect,
  test as journey,
  linkIn,
  mailTo,
  newEmail,
  signUpByForm,
} from "./journey.ts";

/** The product as visitors meet it: behind Caddy with TLS, by deploy/caddy/Caddyfile, and a certificate of Caddy's own authority. */
const test = journey.extend<object, { product: RunningProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: the library reads the parameter's names
    async ({}, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), "assay-tls-"));
      const url = `https://localhost:${await freePort()}`;
      const product = await runProduct({
        APP_URL: url,
        DEPOSIT_SLIPS: "always",
        SMTP_URL: process.env["JOURNEY_SMTP_URL"] ?? "",
      });
      try {
        const caddy = startCaddy(folder, url, product.url);
        await use({ ...product, url });
        const gone = once(caddy, "exit");
        if (caddy.kill("SIGKILL")) await gone;
      } finally {
        await product.stop();
        rmSync(folder, { recursive: true });
      }
    },
    { scope: "worker", timeout: testTimeoutMs },
  ],
  place: async ({ product }, use) => {
    await use(product);
  },
});
test.use({ ignoreHTTPSErrors: true });

function startCaddy(folder: string, url: string, upstream: string): ChildProcess {
  const changed = (text: string, what: string, by: string) => {
    if (!text.includes(what)) throw new Error(`the Caddyfile has no ${what}`);
    return text.replace(what, by);
  };
  const site = `{\n\tadmin off\n\tlog {\n\t\tlevel ERROR\n\t}\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system ${folder}\n}\n${url} {\n\tbind 127.0.0.1\n\ttls internal`;
  const text = changed(readFileSync("deploy/caddy/Caddyfile", "utf8"), "mine.example.org {", site);
  const { port } = new URL(upstream);
  const file = changed(text, "127.0.0.1:3000", `127.0.0.1:${port}`);
  const place = path.join(folder, "Caddyfile");
  writeFileSync(place, file);
  const args = ["run", "--config", place, "--adapter", "caddyfile"];
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  return spawn(path.join(ensureProxies(), "caddy"), args, {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

test("behind TLS a person registers, verifies, hands in a slip, adds a passkey, signs out and in again", async ({
  page,
  context,
}) => {
  const email = newEmail();
  const opens = () => page.goto("/").catch(() => null);
  await expect.poll(async () => (await opens())?.status()).toBe(200);
  await signUpByForm(page, email);
  const cookies = await context.cookies();
  expect(cookies.filter(({ secure }) => !secure)).toEqual([]);
  expect(cookies.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^__Host-/));
  await page.goto(linkIn(await mailTo(email, /verif|confirm/i)));
  await page.getByRole("button", { name: /verif|confirm/i }).click();
  await expect(page.getByText(/verified|confirmed/i).first()).toBeVisible();
  await declareDeposit(page, "120.00", "Bitcoin");
  await addAuthenticator(page);
  const answer = await page.goto("/account/security/passkey");
  expect(answer?.headers()["strict-transport-security"]).toBeTruthy();
  await page.getByLabel("Name").fill("My telephone");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.waitForURL("**/account/security/recovery-codes");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.waitForURL("**/login**");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL("**/account/dashboard");
});
