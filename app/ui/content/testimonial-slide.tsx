import styles from "./testimonial-slide.module.css";

export interface TestimonialSlideProps {
  name: string;
  role: string;
  text: string;
  image: "initials" | "none";
  /** What the contract had brought, in words; null: none is shown. */
  result: string | null;
  /** No one said it: then the slide says so. */
  isSample?: boolean;
}

/** What a customer said, exactly as the carousel shows it: in the account and the console too, before it is. */
export function TestimonialSlide({
  name,
  role,
  text,
  image,
  result,
  isSample = false,
}: TestimonialSlideProps) {
  return (
    <figure className={styles.slide}>
      {isSample ? <strong className={styles.sample}>Sample</strong> : null}
      <blockquote className={styles.words} dir="auto">
        {isSample ? text : `“${text}”`}
      </blockquote>
      <figcaption className={styles.who}>
        {image === "initials" ? (
          <span className={styles.initials} aria-hidden="true">
            {initialsOf(name)}
          </span>
        ) : null}
        <div>
          <span className={styles.name}>{name}</span>
          {role ? <div className={styles.role}>{role}</div> : null}
          {result ? <div className={styles.result}>{result}</div> : null}
        </div>
      </figcaption>
    </figure>
  );
}

/** "Ada L." -> "AL". */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("");
}
