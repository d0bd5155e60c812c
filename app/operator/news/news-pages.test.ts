import { expect, test } from "vitest";
import { addSource, changeSource } from "#server/news/change-sources.ts";
import { findSource } from "#server/news/list-sources.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db } = product;
const grace = await createTestOperator(db);
const cookie = await signInAs(product, grace);
const feed = {
  ...{ name: "Blocks", url: "https://news.example.com/feed", allowLoopback: false },
  enabled: true,
};

test("a feed that a colleague switched off meanwhile is not read, and the page says so", async () => {
  const { sourceId } = await addSource(db, grace, feed, app.now());
  const seenRevision = (await findSource(db, sourceId))?.revision ?? 0;
  const off = { ...feed, enabled: false, sourceId, seenRevision };
  await changeSource(db, grace, off, app.now());
  const form = { intent: "read" };
  const answer = await product.request(`/operator/news/${sourceId}`, { cookie, form });
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("This feed is switched off, so it was not read");
});
