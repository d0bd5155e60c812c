import { expect, test } from "vitest";
import { testApp } from "#tests/setup/test-app.ts";
import { embedOptions } from "./embed-options.ts";

const { request } = await testApp({ EMBEDDED_WIDGETS: "ticker-tape,market-overview" });
const agreed = "assay-embeds=yes";

test("a widget's document is there for a visitor who agreed, and for no other", async () => {
  expect((await request("/embeds/ticker-tape", { cookie: agreed })).status).toBe(200);
  expect((await request("/embeds/ticker-tape", { cookie: "assay-embeds=no" })).status).toBe(404);
  expect((await request("/embeds/ticker-tape")).status).toBe(404);
});

test("a widget that the operator has not switched on is nowhere", async () => {
  expect((await request("/embeds/timeline", { cookie: agreed })).status).toBe(404);
  expect((await request("/embeds/casino", { cookie: agreed })).status).toBe(404);
});

test("only a widget's own document names the provider's hosts in its policy", async () => {
  const policyOf = async (path: string) =>
    (await request(path, { cookie: agreed })).headers.get("content-security-policy");
  const policy = await policyOf("/embeds/ticker-tape");
  expect(policy).toMatch(/script-src 'nonce-\S+' https:\/\/s3\.tradingview\.com;/);
  expect(policy).toContain(
    "frame-src https://www.tradingview-widget.com https://s.tradingview.com;",
  );
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'self'");
  // Opened by its address, too, the provider's script is not one of ours.
  expect(policy).toMatch(/; sandbox (?!.*allow-same-origin)/);
  for (const path of ["/", "/embeds", "/login"])
    expect(await policyOf(path)).not.toContain("tradingview");
});

test("the market overview shows 12 months, light, 700 px high, also on a dark page", () => {
  expect(embedOptions("market-overview", "dark")).toMatchObject({
    dateRange: "12M",
    colorTheme: "light",
    height: 700,
  });
});

test("a choice is remembered, and leads back to a page of this site only", async () => {
  const choose = (show: string, back: string) => request("/embeds", { form: { show, back } });
  const yes = await choose("yes", "/faq?q=fee");
  expect(yes.headers.get("set-cookie")).toContain("assay-embeds=yes; Path=/");
  expect(yes.headers.get("location")).toBe("/faq?q=fee");
  const no = await choose("no", "//evil.example/");
  expect(no.headers.get("set-cookie")).toContain("assay-embeds=no");
  for (const back of [
    "//evil.example/",
    "https://evil.example/",
    "/\\evil.example",
    "/.//evil.example",
  ])
    expect((await choose("no", back)).headers.get("location")).toBe("/embeds");
});
