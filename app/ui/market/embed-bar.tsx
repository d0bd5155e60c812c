import { Button } from "#app/ui/controls/button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { embedProvider } from "#core/text/embeds.ts";
import styles from "./embed-bar.module.css";

interface EmbedBarProps {
  /** The page on which the choice is made, and which is shown again. */
  back?: string;
  /** Not shown until a script finds that nothing was chosen yet: pages for everyone cannot know it. */
  hidden?: boolean;
}

/** Asks once, over the foot of the page so that nothing moves. Only where the operator has switched widgets on. */
export function EmbedBar({ back, hidden = false }: EmbedBarProps) {
  return (
    <form
      method="post"
      action="/embeds"
      className={styles.bar}
      aria-label="Embedded widgets"
      data-embed-bar
      hidden={hidden}
    >
      <input type="hidden" name="back" defaultValue={back ?? "/"} />
      <p className={styles.words}>
        Prices, charts and news here come from this site alone. {embedProvider} can show them
        instead; your browser then loads them from there. <a href="/embeds">What that means</a>
      </p>
      <div className={layout.row}>
        <Button type="submit" name="show" value="yes" look="outline" size="small">
          Show {embedProvider}'s
        </Button>
        <Button type="submit" name="show" value="no" look="outline" size="small">
          Keep this site's own
        </Button>
      </div>
    </form>
  );
}
