import styles from "./mail-frame.module.css";

/** A mail as mail programs show it, in a frame that can do nothing. */
export function MailFrame({ title, html }: { title: string; html: string }) {
  return <iframe className={styles.frame} title={title} sandbox="" srcDoc={html} />;
}

/** The frame obeys this page's policy, which lets in no style sheet without its nonce; attributes pass. */
export function forFrame(html: string): string {
  return html.replace(/<style[\s\S]*?<\/style>/gi, "");
}
