import { Marquee } from "#app/ui/marquee.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { DashboardBanner as Banner } from "#core/dashboard-banner.ts";

/** The welcome scrolls by; what staff wrote stands still, so that it can be read. */
export function DashboardBanner({ banner }: { banner: Banner }) {
  if (banner.kind === "welcome") return <Marquee>{banner.text}</Marquee>;
  return <Notice tone={banner.kind === "notice" ? "warning" : "success"}>{banner.text}</Notice>;
}
