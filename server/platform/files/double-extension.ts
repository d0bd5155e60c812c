/** Endings that some system executes or renders. `.com` is not among them: shops end their names with it. */
const executable =
  /^(?:php\d?|phtml|phar|x?html?|shtml|svgz?|m?js|jar|exe|dll|scr|bat|cmd|msi|hta|jspx?|aspx?|cgi|pl|py|sh|vbs|ps1|lnk|xml|zip)$/i;

const known = /^(?:jpe?g|jfif|png|webp|hei[cf]|hif|pdf)$/i;

/** Whether a name pretends: `slip.jpg.exe`, `slip.php.jpg`. A name without any ending is fine. */
export function hasTwoEndings(name: string): boolean {
  const [, ...endings] = name.split(/[/\\]/).at(-1)?.split(".") ?? [];
  const last = endings.at(-1);
  if (last === undefined) return false;
  const isEnding = /^[A-Za-z][A-Za-z0-9]{1,4}$/.test(last);
  return (
    (isEnding && !known.test(last)) || endings.some((ending) => executable.test(ending.trim()))
  );
}

const markup = ["<script", "<?php", "<html", "<!doctype", "<svg", "<iframe"];

/** Far enough from the end to find the end record of a ZIP archive with the longest comment. */
const zipEndReach = 65_557;

/**
 * Whether a file is valid as a second kind of file too: a picture that is also a web page, an archive or
 * a PDF. No camera makes such a file.
 */
export function isTwoThingsAtOnce(bytes: Uint8Array, mediaType: string): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.subarray(-zipEndReach).includes("PK\x05\x06")) return true;
  if (mediaType === "application/pdf") return hasMarkup(buffer.subarray(0, 2048));
  return buffer.subarray(0, 2048).includes("%PDF-") || hasMarkup(buffer);
}

function hasMarkup(buffer: Buffer): boolean {
  const text = buffer.toString("latin1").toLowerCase();
  return markup.some((start) => text.includes(start));
}
