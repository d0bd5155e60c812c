import "./ui/theme/base.css";
import "./ui/theme/fields.css";
import "./ui/theme/fonts.css";
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import sourceSerif from "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2?url";
import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { data, Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import { appContext } from "#server/app-context.ts";
import type { Route } from "./+types/root";
import { ErrorPage } from "./ui/error-page.tsx";
import { takeFlash } from "./ui/flash.ts";
import { FlashToasts } from "./ui/flash-toasts.tsx";
import { NavigationProgress } from "./ui/navigation-progress.tsx";
import { useNonce } from "./ui/nonce.ts";
import { cssVariablesResolver, theme } from "./ui/theme/theme.ts";

export const links: Route.LinksFunction = () => [
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  ...[inter, sourceSerif].map((href) => ({
    rel: "preload",
    href,
    as: "font" as const,
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  })),
];

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: loaderData?.siteName ?? "" }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { siteName, network, demo } = context.get(appContext).config;
  const { flashes, forget } = await takeFlash(request);
  const headers: HeadersInit = forget ? { "Set-Cookie": forget } : {};
  return data({ siteName, network, demo, flashes }, { headers });
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <ColorSchemeScript nonce={nonce} defaultColorScheme="auto" />
        <Meta />
        <Links />
      </head>
      <body>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariablesResolver}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce ?? ""}
        >
          <NavigationProgress />
          <Notifications position="top-right" />
          {children}
        </MantineProvider>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
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
