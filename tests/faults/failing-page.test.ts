import type { ServerBuild } from "react-router";
import { expect, test } from "vitest";
import { openRoutes } from "#server/web.ts";
import { builtPages } from "../../scripts/built-pages.ts";
import { createTestOperator } from "../factories/operator.ts";
import { signInAs } from "../setup/sign-in-as.ts";
import { testApp } from "../setup/test-app.ts";

const product = await testApp();
const cookie = await signInAs(product, await createTestOperator(product.db));

/** The product with one page that fails as soon as it is drawn. */
async function askWithBroken(id: string): Promise<(path: string) => Promise<Response>> {
  const build = (await builtPages()).build as ServerBuild;
  const { [id]: route } = build.routes;
  if (!route) throw new Error(`There is no page ${id}`);
  const fails = () => {
    throw new Error("drawn wrongly");
  };
  const broken = { ...route, module: { ...route.module, default: fails } };
  const pages = { build: { ...build, routes: { ...build.routes, [id]: broken } } };
  const routes = openRoutes(product.app, pages);
  const socket = { incoming: { socket: { remoteAddress: "192.0.2.1" } } };
  const { appUrl } = product.app.config;
  return async (path) => routes.request(appUrl + path, { headers: { cookie } }, socket);
}

test("a page that fails when it is drawn says so within its section, and the next page is whole", async () => {
  const ask = await askWithBroken("operator/plans/list");
  const answer = await ask("/operator/plans");
  expect(answer.status).toBe(500);
  const page = await answer.text();
  expect(/<h1[^>]*>([^<]*)/.exec(page)?.[1]).toBe("This page failed");
  expect(page.includes('href="/operator/'), "the section's links").toBe(true);
  expect(page.includes("drawn wrongly"), "the fault's own words").toBe(false);
  expect((await ask("/operator/fleet")).status).toBe(200);
});
