import { isListed } from "#app/ui/page/page-meta.ts";
import { appContext } from "#server/app-context.ts";
import type { Route } from "./+types/sitemap";
import { listedPaths } from "./listed-paths.ts";

/** The list of public pages for search engines. A demo and a test network have none. */
export function loader({ context }: Route.LoaderArgs) {
  const { config } = context.get(appContext);
  if (!isListed(config)) throw new Response("There is no sitemap here.\n", { status: 404 });
  const urls = listedPaths.map((path) => `  <url><loc>${config.appUrl}${path}</loc></url>`);
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>",
  ];
  return new Response(`${xml.join("\n")}\n`, {
    headers: {
      "content-type": "application/xml; charset=utf-8",
      "cache-control": "public, max-age=3600",
    },
  });
}
