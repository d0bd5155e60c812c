/** A page of somebody else, named by its host, so that it is plain whose word it is. */
export function WatchLink({ url }: { url: string }) {
  return (
    <a href={url} rel="noopener noreferrer nofollow">
      {new URL(url).host}
    </a>
  );
}
