import { light } from "#app/ui/theme/tokens.ts";
import { appContext } from "#server/app-context.ts";
import type { Route } from "./+types/manifest";

/** What a phone needs to keep the site on its first screen. The address bar stays: people must see where they are. */
export function loader({ context }: Route.LoaderArgs) {
  const { siteName } = context.get(appContext).config;
  const manifest = {
    name: siteName,
    short_name: siteName,
    start_url: "/",
    display: "minimal-ui",
    background_color: light.paper,
    theme_color: light.paper,
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
  return new Response(JSON.stringify(manifest), {
    headers: {
      "content-type": "application/manifest+json",
      "cache-control": "public, max-age=3600",
    },
  });
}
