/** Slips without a deposit are given up after this long. */
export const draftLifeMs = 24 * 3600 * 1000;

/**
 * How a slip is called on the screen and when it is saved: the sender's words without path, control and
 * direction characters, with the ending of what it really is now.
 */
export function displayName(sent: string, mediaType: "image/jpeg" | "application/pdf"): string {
  const last = sent.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}"<>|:*?]/gu, "")
    .replace(/\.[A-Za-z][A-Za-z0-9]{1,4}$/, "")
    .replace(/\s+/g, " ")
    .trim();
  const stem = [...clean].slice(0, 100).join("").replace(/^\.+/, "") || "slip";
  return `${stem}.${mediaType === "application/pdf" ? "pdf" : "jpg"}`;
}
