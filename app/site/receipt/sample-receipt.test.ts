import { expect, test } from "vitest";
import { exampleReceipt } from "#core/mining/example-receipt.ts";
import { readFigures, recomputeReceipt } from "#core/mining/recompute-receipt.ts";
import { testApp } from "#tests/setup/test-app.ts";

const { request } = await testApp();

test("until a pool has paid, the sample receipt says that it is an example, and its steps agree", async () => {
  for (const path of ["/", "/receipt"]) {
    const html = await (await request(path)).text();
    expect(html, path).toContain("Example receipt");
    expect(html, path).toContain("in invented round figures: no pool has paid us yet.");
    const written = /data-recompute="([^"]+)"/.exec(html)?.[1]?.replaceAll("&quot;", '"') ?? "";
    const steps = recomputeReceipt(readFigures(written));
    expect(steps.length).toBeGreaterThanOrEqual(8);
    expect(steps.filter(({ agrees }) => !agrees)).toEqual([]);
  }
});

test("the example is the day that the landing page's steps go through", async () => {
  expect(exampleReceipt).toMatchObject({ creditSats: 4_190n, feeSats: 3_400n });
  const html = await (await request("/")).text();
  expect(html).toContain("0.00004190");
});

test("what nothing was found for can be asked, with the words as the subject", async () => {
  const found = await (await request("/faq?q=zzqq")).text();
  expect(found).toMatch(/<button[^>]*formaction="\/contact"[^>]*>Write to us<\/button>/i);
  const contact = await (await request("/contact?q=%22zzqq%22%20%3Cb%3E")).text();
  expect(contact).toMatch(/<input[^>]*name="subject"[^>]*value="&quot;zzqq&quot; &lt;b&gt;"/);
});
