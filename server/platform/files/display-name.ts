/**
 * How an uploaded file is called on the screen and when it is saved: the sender's words without path, control and
 * direction characters, with the ending of what it really is now. `fallback` where nothing is left of them.
 */
export function displayName(
  sent: string,
  mediaType: "image/jpeg" | "application/pdf",
  fallback: string,
): string {
  const last = sent.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}"<>|:*?]/gu, "")
    .replace(/\.[A-Za-z][A-Za-z0-9]{1,4}$/, "")
    .replace(/\s+/g, " ")
    .trim();
  const stem = [...clean].slice(0, 100).join("").replace(/^\.+/, "") || fallback;
  return `${stem}.${mediaType === "application/pdf" ? "pdf" : "jpg"}`;
}
