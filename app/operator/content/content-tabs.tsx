import { Tabs } from "../parts/tabs.tsx";

/** The two halves of what the site says. */
export function ContentTabs() {
  return (
    <Tabs
      label="Content"
      tabs={[
        ["/operator/content", "Texts"],
        ["/operator/content/testimonials", "Testimonials"],
      ]}
    />
  );
}
