/** Where something will be. It shows itself only to who has to wait: a page that is quick does not flicker. */
export function ReadingHint({ what }: { readonly what: string }) {
  return (
    <p className="reading-hint dim small" role="status">
      Reading {what} …
    </p>
  );
}
