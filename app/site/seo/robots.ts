import { isListed } from "#app/ui/page/page-meta.ts";
import { appContext } from "#server/app-context.ts";
import type { Route } from "./+types/robots";
import { plainText } from "./plain-text.ts";

/** Tells search engines to stay out of accounts and the console. What is not real says noindex on each page. */
export function loader({ context }: Route.LoaderArgs) {
  const { config } = context.get(appContext);
  const lines = ["User-agent: *", "Disallow: /account", "Disallow: /operator"];
  if (isListed(config)) lines.push("", `Sitemap: ${config.appUrl}/sitemap.xml`);
  return plainText(lines);
}
