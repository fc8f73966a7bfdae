/** A seal by the path of its outlines, in the colour of the text. A name or key always stands beside it. */
export function SealDrawing({ path, size }: { path: string; size: number }) {
  return (
    <svg class="seal" viewBox="-50 -50 100 100" width={size} height={size} aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d={path} />
    </svg>
  );
}
