import type { MetaDescriptor } from "react-router";

interface PageFacts {
  /** Before the site's name. */
  title: string;
  /** One or two sentences for search results and previews of the link. */
  description: string;
  /** The page's one address, from the first slash: '/faq'. */
  path: string;
  /** Query parameters that make it another page with an address of its own, such as `tab`. */
  keepParams?: readonly string[];
}

interface MetaArgs {
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[];
  location: { search: string };
}

/** What the root tells every page about the site. */
export interface SiteFacts {
  siteName: string;
  appUrl: string;
  network: string;
  demo: boolean;
}

/**
 * A public page's `meta`: title, description, canonical address and what a link to it shows elsewhere.
 * `export const meta = pageMeta({ title: "FAQ", description: "…", path: "/faq" });`
 */
export function pageMeta(page: PageFacts) {
  return ({ matches, location }: MetaArgs): MetaDescriptor[] => {
    const site = siteOf(matches);
    if (!site) return [{ title: page.title }];
    const { siteName } = site;
    const url = `${site.appUrl}${canonicalPath(page, location.search)}`;
    return [
      { title: `${page.title} · ${siteName}` },
      { name: "description", content: page.description },
      { tagName: "link", rel: "canonical", href: url },
      ...robots(site),
      { property: "og:site_name", content: siteName },
      { property: "og:type", content: "website" },
      { property: "og:title", content: page.title },
      { property: "og:description", content: page.description },
      { property: "og:url", content: url },
      { property: "og:image", content: `${site.appUrl}/preview.png` },
      { property: "og:image:width", content: "1200" },
      { property: "og:image:height", content: "630" },
      { property: "og:image:alt", content: pictureAlt },
      { name: "twitter:card", content: "summary_large_image" },
    ];
  };
}

const pictureAlt = "An assay balance in its glass case, ore in one pan and metal in the other";

/** What the root's loader says about the site; undefined where it failed. */
export function siteOf(matches: MetaArgs["matches"]): SiteFacts | undefined {
  return matches.find((match) => match?.id === "root")?.loaderData as SiteFacts | undefined;
}

/** Search engines list what is real: neither a demo nor a site on a test network. */
export function isListed({ network, demo }: Pick<SiteFacts, "network" | "demo">): boolean {
  return network === "mainnet" && !demo;
}

function robots(site: SiteFacts): MetaDescriptor[] {
  return isListed(site) ? [] : [{ name: "robots", content: "noindex" }];
}

function canonicalPath({ path, keepParams = [] }: PageFacts, search: string): string {
  const asked = new URLSearchParams(search);
  const kept = new URLSearchParams();
  for (const name of keepParams) {
    const value = asked.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept.size > 0 ? `${path}?${kept}` : path;
}
