import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // Aside, until it is whole: scripts/build-pages.ts.
  buildDirectory: process.env["BUILD_FOLDER"] ?? "build",
  // The list of pages is a file that browsers keep. Found out link by link, it would be put together for each page that is
  // drawn, and asked for again by each that is read.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
