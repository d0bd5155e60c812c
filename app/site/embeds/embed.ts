import { html, raw } from "hono/html";
import { delays } from "#core/terms.ts";
import { embedNames, embedProvider, embeds, readEmbedConsent } from "#core/text/embeds.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { embedPolicy } from "#server/platform/http/embed-policy.ts";
import type { Route } from "./+types/embed";
import { embedOptions, type Scheme } from "./embed-options.ts";

/**
 * The document in whose frame a widget of the charting provider's lives, and the only one whose policy lets the
 * provider's script run. It exists when the operator has switched the widget on and this visitor has agreed.
 */
export async function loader({ params, request, context }: Route.LoaderArgs): Promise<Response> {
  const { config } = context.get(appContext);
  const { nonce } = context.get(requestContext);
  const name = embedNames.find((known) => known === params.name);
  const isSecure = config.appUrl.startsWith("https:");
  const agreed = readEmbedConsent(request.headers.get("cookie"), isSecure) === "yes";
  if (!name || !agreed || !config.embeds.names.includes(name)) {
    throw new Response(null, { status: 404 });
  }
  const { scriptOrigin } = config.embeds;
  const scheme = new URL(request.url).searchParams.get("scheme") === "dark" ? "dark" : "light";
  const body = await embedDocument({
    nonce,
    scheme,
    title: `${embeds[name].title} by ${embedProvider}`,
    src: `${scriptOrigin}/external-embedding/embed-widget-${name}.js`,
    options: embedOptions(name, scheme),
  });
  return new Response(String(body), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": embedPolicy({ nonce, ...config.embeds }),
      "x-robots-tag": "noindex",
    },
  });
}

interface Embed {
  nonce: string;
  scheme: Scheme;
  title: string;
  src: string;
  options: Record<string, unknown>;
}

function embedDocument({ nonce, scheme, title, src, options }: Embed) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="color-scheme" content="${scheme}" />
    <title>${title}</title>
    <style>
      body { margin: 0; overflow: hidden; font: 14px/1.5 system-ui, sans-serif; }
      p { margin: 0; padding: 12px 16px; }
    </style>
  </head>
  <body>
    <div class="tradingview-widget-container">
      <div class="tradingview-widget-container__widget"></div>
    </div>
    <p id="failed" hidden>
      ${embedProvider} could not be reached.
      <a href="/embeds" target="_blank">Show this site's own figures instead</a>
    </p>
    <script nonce="${nonce}">${raw(injection(src, options))}</script>
  </body>
</html>`;
}

/** The provider reads its options from the text of the script element that loads it. */
function injection(src: string, options: Record<string, unknown>): string {
  return `setTimeout(() => {
  const script = document.createElement("script");
  script.src = ${asScript(src)};
  script.async = true;
  script.text = ${asScript(JSON.stringify(options))};
  script.onerror = () => { document.getElementById("failed").hidden = false; };
  document.querySelector(".tradingview-widget-container").append(script);
}, ${delays.widgetInjectionMs});`;
}

/** A text as a script may hold it between its tags. */
function asScript(text: string): string {
  return JSON.stringify(text).replaceAll("<", "\\u003c");
}
