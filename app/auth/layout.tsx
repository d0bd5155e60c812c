import { data, type MiddlewareFunction, Outlet } from "react-router";
import { loadDocument, plainPage, wantsAnswer } from "#app/plain-page.ts";
import { Logo } from "#app/ui/page/logo.tsx";
import { Notice, type NoticeTone } from "#app/ui/page/notice.tsx";
import { ProductMarks } from "#app/ui/page/product-marks.tsx";
import { ColourMenu } from "#app/ui/theme/colour-menu.tsx";
import { Toasts } from "#app/ui/toasts/toasts.tsx";
import { countryName } from "#core/people/countries.ts";
import { delays } from "#core/terms.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import type { Route } from "./+types/layout";
import type { Answer } from "./answer.ts";
import styles from "./layout.module.css";

export const handle = plainPage("auth");

/** Tells a page's script where a form leads, which it could not read off a redirect. Cookies go along. */
const answerScripts: MiddlewareFunction<Response> = async ({ request }, next) => {
  const response = await next();
  const location = response.headers.get("location");
  if (location === null || request.method !== "POST" || !wantsAnswer(request)) return response;
  const headers = new Headers(response.headers);
  headers.delete("location");
  return Response.json({ next: location } satisfies Answer, { headers });
};

/** Where an account is opened or entered. Links from mails work from everywhere. */
const entrances = /^\/(?:login|signup)\/?$/i;

/** Turns away who comes from a country that the operator blocks. The page says why: app/ui/page/error-page.tsx. */
const refuseBlockedCountries: MiddlewareFunction<Response> = ({ url, context }) => {
  if (!entrances.test(url.pathname)) return;
  const { clientAddress } = context.get(requestContext);
  const { config, ipCountry } = context.get(appContext);
  const country = ipCountry.findBlocked(clientAddress);
  if (country === null) return;
  throw data(
    { blockedCountry: countryName(country), siteName: config.siteName },
    { status: 451, statusText: "Unavailable For Legal Reasons" },
  );
};

export const middleware: Route.MiddlewareFunction[] = [refuseBlockedCountries, answerScripts];
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [loadDocument];

export default function AuthLayout({ matches }: Route.ComponentProps) {
  const { siteName, network, demo } = matches[0].loaderData;
  return (
    <div className={styles.page}>
      <ProductMarks demo={demo} network={network} />
      <header className={styles.head}>
        <Logo name={siteName} />
        <ColourMenu />
      </header>
      <main className={styles.main}>
        <Outlet />
      </main>
      <ToastParts />
    </div>
  );
}

const tones: NoticeTone[] = ["success", "info", "warning", "error"];

/** What the page's script makes toasts and alerts of (enhance/words.ts), and where a screen reader hears of them. */
function ToastParts() {
  return (
    <>
      <div role="status" data-toast-place="" />
      <template data-toasts="">
        <Toasts stayMs={delays.noticeToastMs} />
      </template>
      {tones.map((tone) => (
        <template key={tone} data-notice={tone}>
          <Notice tone={tone} />
        </template>
      ))}
    </>
  );
}
