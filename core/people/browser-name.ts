const browsers: [name: string, mark: RegExp][] = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/[\d.]+.*\bSafari\//],
];

const systems: [name: string, mark: RegExp][] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
];

/** What a person calls the browser behind a user agent: "Firefox on Linux". */
export function browserName(userAgent: string | null): string {
  const text = userAgent ?? "";
  const browser = browsers.find(([, mark]) => mark.test(text))?.[0] ?? "Unknown browser";
  const system = systems.find(([, mark]) => mark.test(text))?.[0];
  return system ? `${browser} on ${system}` : browser;
}
