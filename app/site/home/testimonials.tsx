import { TestimonialSlide } from "#app/ui/content/testimonial-slide.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import { delays } from "#core/terms.ts";
import type { Carousel } from "#server/content/list-testimonials.ts";
import home from "./home-section.module.css";
import styles from "./testimonials.module.css";

/**
 * What customers say, as slides. Without script they scroll and snap, and the dots are links; with it they
 * advance on their own (app/site/enhance/carousel.ts). With nothing to show there is no carousel.
 */
export function Testimonials({ carousel }: { carousel: Carousel }) {
  const { slides, areSamples } = carousel;
  if (slides.length === 0) return null;
  return (
    <section
      className={`${home.section} ${styles.section}`}
      aria-labelledby="testimonials"
      aria-roledescription="carousel"
      data-carousel={delays.carouselMs}
    >
      <h2 id="testimonials" className={`${home.heading} ${styles.heading}`}>
        What customers say
      </h2>
      {areSamples ? (
        <p className={styles.samples}>
          No customer has agreed to be quoted yet. These are samples of what a real one will show.
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul className={styles.track} tabIndex={0} aria-label="Slides" data-track>
        {slides.map((slide, index) => (
          <li
            key={slide.id}
            id={`slide-${index + 1}`}
            className={styles.slide}
            aria-label={`${index + 1} of ${slides.length}`}
          >
            <TestimonialSlide {...slide} isSample={areSamples} />
          </li>
        ))}
      </ul>
      {slides.length > 1 ? <Controls count={slides.length} /> : null}
    </section>
  );
}

function Controls({ count }: { count: number }) {
  return (
    <div className={styles.controls}>
      <nav className={styles.dots} aria-label="Choose a slide">
        {Array.from({ length: count }, (_, index) => (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its place
            key={index}
            href={`#slide-${index + 1}`}
            data-dot
          >
            <VisuallyHidden>Slide {index + 1}</VisuallyHidden>
          </a>
        ))}
      </nav>
      <button type="button" className={styles.pause} data-pause hidden>
        Pause
      </button>
    </div>
  );
}
