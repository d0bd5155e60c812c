/** Makes market overviews move: their script is fetched when one comes near the view, the chart's own after it. */
export function enhanceChart(root: ParentNode): void {
  for (const overview of root.querySelectorAll<HTMLElement>("[data-overview]")) {
    const near = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        near.disconnect();
        void mount(overview);
      },
      { rootMargin: "200px" },
    );
    near.observe(overview);
  }
}

async function mount(overview: HTMLElement): Promise<void> {
  const { mountOverview } = await import("#app/ui/market/mount-overview.ts");
  mountOverview(overview);
}
