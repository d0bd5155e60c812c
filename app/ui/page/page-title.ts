interface MetaArgs {
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[];
}

/**
 * The `meta` of a page that is for one person, or for who has its link, and that no search engine lists: its name before the site's,
 * 'Deposits · Assay'. `export const meta = titled("Deposits");`
 */
export function titled(title: string) {
  return ({ matches }: MetaArgs) => {
    const root = matches.find((match) => match?.id === "root")?.loaderData;
    const siteName = (root as { siteName?: string } | undefined)?.siteName;
    return [
      { title: siteName ? `${title} · ${siteName}` : title },
      { name: "robots", content: "noindex" },
    ];
  };
}
