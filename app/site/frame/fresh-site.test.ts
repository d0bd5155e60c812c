import { expect, test } from "vitest";
import { testApp } from "#tests/setup/test-app.ts";

const { request, owner } = await testApp();

test("a site without news says so on its first page, and names no page with more", async () => {
  const html = await (await request("/")).text();
  const news = html.slice(html.indexOf('id="news"'));
  expect(news).toContain("There is no news yet.");
  expect(news.slice(0, news.indexOf("</section>"))).not.toContain("All news");
});

test("where the operator has named no office hours, the contact page says so", async () => {
  const { rows } = await owner.query("select count(*)::int as pieces from content_versions");
  expect(rows).toEqual([{ pieces: 0 }]);
  const html = await (await request("/contact")).text();
  expect(html).toMatch(/Office hours<\/dt><dd>The operator has not named office hours yet\./);
});
