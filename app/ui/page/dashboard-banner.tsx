import type { DashboardBanner as Banner } from "#core/text/dashboard-banner.ts";
import { Marquee } from "./marquee.tsx";
import { Notice } from "./notice.tsx";

/**
 * What is above a customer's dashboard, and in the console's preview of it. The welcome scrolls by; what staff wrote
 * does not, so that it can be read.
 */
export function DashboardBanner({ banner }: { banner: Banner }) {
  if (banner.kind === "welcome") return <Marquee>{banner.text}</Marquee>;
  return <Notice tone={banner.kind === "notice" ? "warning" : "success"}>{banner.text}</Notice>;
}
