import "./ui/theme/theme.css";
import "./ui/theme/base.css";
import "./ui/theme/fonts.css";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import {
  data,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useNavigation,
} from "react-router";
import { closeDropdowns } from "#app/ui/browser/close-dropdowns.ts";
import { InlineScript } from "#app/ui/browser/inline-script.tsx";
import styles from "#app/ui/browser/navigation-progress.module.css";
import { useNonce } from "#app/ui/browser/nonce.ts";
import { showHints } from "#app/ui/figures/hints.ts";
import { ErrorPage } from "#app/ui/page/error-page.tsx";
import { keepPage, PageNotice } from "#app/ui/page/keep-page.tsx";
import { schemeScript } from "#app/ui/theme/colour-scheme.ts";
import { takeFlash } from "#app/ui/toasts/flash.ts";
import { FlashToasts, NotifiedToasts } from "#app/ui/toasts/toasts.tsx";
import { appContext } from "#server/app-context.ts";
import type { Route } from "./+types/root";
import { usePlainScript } from "./plain-page.ts";
import { SectionScript } from "./section-script.tsx";
import sans from "./ui/theme/fonts/assay-sans.woff2?url";
import serif from "./ui/theme/fonts/assay-serif-600.woff2?url";
import { dark, light } from "./ui/theme/tokens.ts";

export const links: Route.LinksFunction = () => [
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export const clientMiddleware = [keepPage];

export function meta({ loaderData, error }: Route.MetaArgs) {
  // An error page brings its own title: of two the browser would show this one.
  return error ? [] : [{ title: loaderData?.siteName ?? "" }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { config, rehearsal } = context.get(appContext);
  const { siteName, appUrl, network, demo, coins } = config;
  const { flashes, forget } = await takeFlash(request, appUrl.startsWith("https:"));
  const headers: HeadersInit = forget ? { "Set-Cookie": forget } : {};
  const isRehearsal = rehearsal !== null;
  return data({ siteName, appUrl, network, demo, isRehearsal, coins, flashes }, { headers });
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const plain = usePlainScript();
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content={light.paper} />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={dark.paper} />
        <InlineScript text={schemeScript} />
        <Meta />
        <Links />
        {plain ? <SectionScript name={plain} /> : <FontPreloads />}
      </head>
      <body>
        {plain ? null : <RouterParts />}
        {children}
        {plain ? null : <ScrollRestoration nonce={nonce} />}
        {plain ? null : <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

/**
 * What is above the fold of every page, in files of English letters only; other letters come when a page has them. A plain
 * page has its style in itself, and draws its words before their fonts: docs/decisions/0071.
 */
function FontPreloads() {
  return [sans, serif].map((href) => (
    <link
      key={href}
      rel="preload"
      href={href}
      as="font"
      type="font/woff2"
      crossOrigin="anonymous"
    />
  ));
}

/** What React moves on the pages that it takes over. */
function RouterParts() {
  useFocusOnNewPage();
  useEffect(() => {
    const leaving = new AbortController();
    closeDropdowns(leaving.signal);
    showHints(leaving.signal);
    return () => leaving.abort();
  }, []);
  return (
    <>
      <NavigationProgress />
      <NotifiedToasts />
      <PageNotice />
    </>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <FlashToasts flashes={loaderData.flashes} />
      <Outlet />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />;
}

/** A thin bar at the top while the next page is on its way. */
function NavigationProgress() {
  const busy = useNavigation().state !== "idle";
  return <div className={`${styles.bar} ${busy ? styles.busy : ""}`} aria-hidden="true" />;
}

/**
 * After a navigation by script the title of the new page has the focus, so that a screen reader reads it and the next tab stop
 * is the page's first. A field that the page itself put the focus into keeps it; so does a place inside the page. It has it as
 * soon as the page shows: later it would be taken from where a key has put it.
 */
function useFocusOnNewPage(): void {
  const { pathname, hash } = useLocation();
  const shown = useRef(pathname);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (hash !== "" || document.activeElement?.matches("main :is(input, select, textarea)")) return;
    const title = document.querySelector<HTMLElement>("main h1") ?? document.querySelector("main");
    if (!title) return;
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }, [pathname, hash]);
}
