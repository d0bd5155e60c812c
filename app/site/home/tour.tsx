import { Play } from "#app/ui/icons.tsx";
import styles from "./tour.module.css";
import { chapters } from "./tour-chapters.ts";

/**
 * A walk through the product's own screens. Nothing of the film is loaded until someone starts it
 * (enhance/main.ts); what it says is in the captions and below.
 */
export function Tour() {
  return (
    <div className={styles.tour}>
      <figure className={styles.film}>
        <div className={styles.frame} data-tour>
          <a href="/tour/tour.webm" className={styles.start} data-tour-start>
            <img
              src="/tour/tour.webp"
              alt=""
              width={1280}
              height={720}
              loading="lazy"
              decoding="async"
            />
            <span className={styles.play}>
              <Play size={20} aria-hidden="true" />
              Play the tour
            </span>
          </a>
          <noscript>
            <Film />
          </noscript>
          <template>
            <Film />
          </template>
        </div>
        <figcaption className={styles.caption}>
          A tour of this product's own screens, {durationInWords()}, without sound. All people and
          amounts in it are invented.
        </figcaption>
      </figure>
      <details className={styles.transcript}>
        <summary>What the tour shows, in words</summary>
        <ol>
          {chapters.map(({ text }) => (
            <li key={text}>{text}</li>
          ))}
        </ol>
      </details>
    </div>
  );
}

function Film() {
  return (
    <video
      controls
      playsInline
      preload="none"
      poster="/tour/tour.webp"
      width={1280}
      height={720}
      aria-label="A tour of the product"
    >
      <source src="/tour/tour.webm" type="video/webm" />
      <track kind="captions" src="/tour/tour.vtt" srcLang="en" label="English" default />
    </video>
  );
}

function durationInWords(): string {
  const seconds = chapters.reduce((sum, chapter) => sum + chapter.seconds, 0);
  return `${Math.round(seconds)} seconds`;
}
